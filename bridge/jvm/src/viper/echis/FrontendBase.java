package viper.echis;

import ch.qos.logback.classic.Logger;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import scala.Enumeration;
import scala.Option;
import scala.collection.immutable.Seq;
import viper.silver.ast.Program;
import viper.silver.ast.utility.FileLoader;
import viper.silver.frontend.DefaultFrontend;
import viper.silver.frontend.DefaultPhases;
import viper.silver.frontend.Frontend;
import viper.silver.frontend.SilFrontend;
import viper.silver.frontend.SilFrontendConfig;
import viper.silver.frontend.SingleFileFrontend;
import viper.silver.parser.FastParser;
import viper.silver.parser.PProgram;
import viper.silver.plugin.SilverPluginManager;
import viper.silver.reporter.Reporter;
import viper.silver.verifier.AbstractError;
import viper.silver.verifier.VerificationResult;
import viper.silver.verifier.Verifier;

/**
 * What Scala's compiler writes for a class with Silver's traits of front ends: their fields, and their initialisation in
 * the order of inheritance. There is nothing of Echis here.
 */
abstract class FrontendBase implements SilFrontend {
    private final Reporter reporter;
    private final Logger logger;
    private final SilFrontend.ApplicationExitReason$ exitReasons;
    private final DefaultFrontend.Succ$ succ;
    private final DefaultFrontend.Fail$ fail;
    private final Frontend.Phase$ phase;
    private Enumeration.Value state;
    private Option<Verifier> verifier;
    private FileLoader loader;
    private Option<String> input;
    private Option<Path> inputFile;
    private Seq<AbstractError> errors;
    private Option<Object> parsingResult;
    private Option<Object> semanticAnalysisResult;
    private Option<VerificationResult> verificationResult;
    private Option<Program> program;
    private Verifier ver;
    private SilFrontendConfig config;
    private Enumeration.Value appExitReason;
    private long startTime;
    private SilverPluginManager plugins;
    private Frontend.Phase parsingPhase;
    private Frontend.Phase analysisPhase;
    private Frontend.Phase translationPhase;
    private Frontend.Phase consistencyPhase;
    private Frontend.Phase verificationPhase;
    private Seq<Frontend.Phase> phases;
    private String refutePlugin;
    private String smokeDetectionPlugin;
    private Seq<String> defaultPlugins;
    private FastParser parser;

    FrontendBase(Reporter reporter, Logger logger) {
        this.reporter = reporter;
        this.logger = logger;
        exitReasons = inner(SilFrontend.ApplicationExitReason$.class, SilFrontend.class);
        succ = inner(DefaultFrontend.Succ$.class, DefaultFrontend.class);
        fail = inner(DefaultFrontend.Fail$.class, DefaultFrontend.class);
        phase = inner(Frontend.Phase$.class, Frontend.class);
        Frontend.$init$(this);
        SingleFileFrontend.$init$(this);
        DefaultPhases.$init$(this);
        DefaultFrontend.$init$(this);
        SilFrontend.$init$(this);
    }

    @Override
    public SilFrontend.ApplicationExitReason$ ApplicationExitReason() {
        return exitReasons;
    }

    @Override
    public DefaultFrontend.Succ$ Succ() {
        return succ;
    }

    @Override
    public DefaultFrontend.Fail$ Fail() {
        return fail;
    }

    @Override
    public Frontend.Phase$ Phase() {
        return phase;
    }

    // Scala's compiler hides the following methods from Java's, which therefore cannot be told that they override any.

    public void viper$silver$frontend$SilFrontend$$super$reset(Path file) {
        trait(DefaultFrontend.class, "reset$", new Class<?>[] {DefaultFrontend.class, Path.class}, this, file);
    }

    public void viper$silver$frontend$SilFrontend$$super$verification() {
        trait(DefaultFrontend.class, "verification$", new Class<?>[] {DefaultFrontend.class}, this);
    }

    @Override
    public void reset(Seq<Path> files) {
        trait(SingleFileFrontend.class, "reset$", new Class<?>[] {SingleFileFrontend.class, Seq.class}, this, files);
    }

    private static void trait(Class<?> trait, String method, Class<?>[] parameters, Object... arguments) {
        try {
            trait.getMethod(method, parameters).invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This Silver is not one that the bridge was made for", e);
        }
    }

    /** An object in a trait, which knows whose it is. */
    private <T> T inner(Class<T> kind, Class<?> trait) {
        try {
            return kind.getConstructor(trait).newInstance(this);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This Silver is not one that the bridge was made for", e);
        }
    }

    // The traits say what these return in two ways.

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public DefaultFrontend.Result doParsing(String input) {
        return SilFrontend.super.doParsing(input);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public DefaultFrontend.Result doSemanticAnalysis(Object program) {
        return SilFrontend.super.doSemanticAnalysis((PProgram) program);
    }

    @Override
    public DefaultFrontend.Result<Program> doTranslation(Object program) {
        return SilFrontend.super.doTranslation((PProgram) program);
    }

    @Override
    public Enumeration.Value _state() {
        return state;
    }

    @Override
    public void _state_$eq(Enumeration.Value value) {
        state = value;
    }

    @Override
    public Option<Verifier> _verifier() {
        return verifier;
    }

    @Override
    public void _verifier_$eq(Option<Verifier> value) {
        verifier = value;
    }

    @Override
    public FileLoader _loader() {
        return loader;
    }

    @Override
    public void _loader_$eq(FileLoader value) {
        loader = value;
    }

    @Override
    public Option<String> _input() {
        return input;
    }

    @Override
    public void _input_$eq(Option<String> value) {
        input = value;
    }

    @Override
    public Option<Path> _inputFile() {
        return inputFile;
    }

    @Override
    public void _inputFile_$eq(Option<Path> value) {
        inputFile = value;
    }

    @Override
    public Seq<AbstractError> _errors() {
        return errors;
    }

    @Override
    public void _errors_$eq(Seq<AbstractError> value) {
        errors = value;
    }

    @Override
    public Option<Object> _parsingResult() {
        return parsingResult;
    }

    @Override
    public void _parsingResult_$eq(Option<Object> value) {
        parsingResult = value;
    }

    @Override
    public Option<Object> _semanticAnalysisResult() {
        return semanticAnalysisResult;
    }

    @Override
    public void _semanticAnalysisResult_$eq(Option<Object> value) {
        semanticAnalysisResult = value;
    }

    @Override
    public Option<VerificationResult> _verificationResult() {
        return verificationResult;
    }

    @Override
    public void _verificationResult_$eq(Option<VerificationResult> value) {
        verificationResult = value;
    }

    @Override
    public Option<Program> _program() {
        return program;
    }

    @Override
    public void _program_$eq(Option<Program> value) {
        program = value;
    }

    @Override
    public Verifier _ver() {
        return ver;
    }

    @Override
    public void _ver_$eq(Verifier value) {
        ver = value;
    }

    @Override
    public SilFrontendConfig _config() {
        return config;
    }

    @Override
    public void _config_$eq(SilFrontendConfig value) {
        config = value;
    }

    @Override
    public Enumeration.Value _appExitReason() {
        return appExitReason;
    }

    @Override
    public void _appExitReason_$eq(Enumeration.Value value) {
        appExitReason = value;
    }

    @Override
    public long _startTime() {
        return startTime;
    }

    @Override
    public void _startTime_$eq(long value) {
        startTime = value;
    }

    @Override
    public SilverPluginManager viper$silver$frontend$SilFrontend$$_plugins() {
        return plugins;
    }

    @Override
    public void viper$silver$frontend$SilFrontend$$_plugins_$eq(SilverPluginManager value) {
        plugins = value;
    }

    @Override
    public Reporter reporter() {
        return reporter;
    }

    /** Given to the constructor. */
    @Override
    public void viper$silver$frontend$Frontend$_setter_$reporter_$eq(Reporter value) {}

    @Override
    public Logger logger() {
        return logger;
    }

    /** Given to the constructor. */
    @Override
    public void viper$silver$frontend$Frontend$_setter_$logger_$eq(Logger value) {}

    @Override
    public Frontend.Phase Parsing() {
        return parsingPhase;
    }

    @Override
    public void viper$silver$frontend$DefaultPhases$_setter_$Parsing_$eq(Frontend.Phase value) {
        parsingPhase = value;
    }

    @Override
    public Frontend.Phase SemanticAnalysis() {
        return analysisPhase;
    }

    @Override
    public void viper$silver$frontend$DefaultPhases$_setter_$SemanticAnalysis_$eq(Frontend.Phase value) {
        analysisPhase = value;
    }

    @Override
    public Frontend.Phase Translation() {
        return translationPhase;
    }

    @Override
    public void viper$silver$frontend$DefaultPhases$_setter_$Translation_$eq(Frontend.Phase value) {
        translationPhase = value;
    }

    @Override
    public Frontend.Phase ConsistencyCheck() {
        return consistencyPhase;
    }

    @Override
    public void viper$silver$frontend$DefaultPhases$_setter_$ConsistencyCheck_$eq(Frontend.Phase value) {
        consistencyPhase = value;
    }

    @Override
    public Frontend.Phase Verification() {
        return verificationPhase;
    }

    @Override
    public void viper$silver$frontend$DefaultPhases$_setter_$Verification_$eq(Frontend.Phase value) {
        verificationPhase = value;
    }

    @Override
    public Seq<Frontend.Phase> phases() {
        return phases;
    }

    @Override
    public void viper$silver$frontend$DefaultPhases$_setter_$phases_$eq(Seq<Frontend.Phase> value) {
        phases = value;
    }

    @Override
    public String viper$silver$frontend$SilFrontend$$refutePlugin() {
        return refutePlugin;
    }

    @Override
    public void viper$silver$frontend$SilFrontend$_setter_$viper$silver$frontend$SilFrontend$$refutePlugin_$eq(String value) {
        refutePlugin = value;
    }

    @Override
    public String viper$silver$frontend$SilFrontend$$smokeDetectionPlugin() {
        return smokeDetectionPlugin;
    }

    @Override
    public void viper$silver$frontend$SilFrontend$_setter_$viper$silver$frontend$SilFrontend$$smokeDetectionPlugin_$eq(String value) {
        smokeDetectionPlugin = value;
    }

    @Override
    public Seq<String> viper$silver$frontend$SilFrontend$$defaultPlugins() {
        return defaultPlugins;
    }

    @Override
    public void viper$silver$frontend$SilFrontend$_setter_$viper$silver$frontend$SilFrontend$$defaultPlugins_$eq(Seq<String> value) {
        defaultPlugins = value;
    }

    @Override
    public FastParser fp() {
        return parser;
    }

    @Override
    public void viper$silver$frontend$SilFrontend$_setter_$fp_$eq(FastParser value) {
        parser = value;
    }
}
