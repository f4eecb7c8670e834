package viper.echis;

import scala.collection.immutable.Seq;
import viper.silver.frontend.Frontend;
import viper.silver.frontend.SilFrontendConfig;
import viper.silver.frontend.ViperFrontendAPI;
import viper.silver.reporter.Reporter;

/** For clients that make programs of Silver's nodes: plugins, the check of consistency, and verification. */
public class EchisFrontendAPI extends EchisFrontend implements ViperFrontendAPI {
    private boolean initialized;
    private String dummyInputFilename;
    private Seq<Frontend.Phase> phases;

    public EchisFrontendAPI(Reporter reporter) {
        super(reporter);
        ViperFrontendAPI.$init$(this);
    }

    @Override
    public SilFrontendConfig configureVerifier(Seq<String> words) {
        return super.configureVerifier(Native.words(words));
    }

    @Override
    public Seq<String> viper$silver$frontend$SilFrontend$$defaultPlugins() {
        return Native.others(super.viper$silver$frontend$SilFrontend$$defaultPlugins());
    }

    @Override
    public Seq<Frontend.Phase> phases() {
        return phases == null ? super.phases() : phases;
    }

    @Override
    public void viper$silver$frontend$ViperFrontendAPI$_setter_$phases_$eq(Seq<Frontend.Phase> value) {
        phases = value;
    }

    @Override
    public String dummyInputFilename() {
        return dummyInputFilename;
    }

    @Override
    public void viper$silver$frontend$ViperFrontendAPI$_setter_$dummyInputFilename_$eq(String value) {
        dummyInputFilename = value;
    }

    @Override
    public boolean viper$silver$frontend$ViperFrontendAPI$$initialized() {
        return initialized;
    }

    @Override
    public void viper$silver$frontend$ViperFrontendAPI$$initialized_$eq(boolean value) {
        initialized = value;
    }
}
