package viper.echis;

import scala.collection.immutable.Seq;
import viper.silver.frontend.Frontend;
import viper.silver.frontend.MinimalViperFrontendAPI;
import viper.silver.frontend.SilFrontendConfig;
import viper.silver.frontend.ViperFrontendAPI;
import viper.silver.reporter.Reporter;

/** The same without the check of consistency, for clients whose programs are consistent: plugins and verification. */
public class MinimalEchisFrontendAPI extends EchisFrontend implements MinimalViperFrontendAPI {
    private boolean initialized;
    private String dummyInputFilename;
    private Seq<Frontend.Phase> phases;

    public MinimalEchisFrontendAPI(Reporter reporter) {
        super(reporter);
        ViperFrontendAPI.$init$(this);
        MinimalViperFrontendAPI.$init$(this);
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
    public void viper$silver$frontend$MinimalViperFrontendAPI$_setter_$phases_$eq(Seq<Frontend.Phase> value) {
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
