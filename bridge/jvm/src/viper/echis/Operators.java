package viper.echis;

import viper.silver.ast.*;

/** Binary operators as they are written. */
final class Operators {
    private Operators() {}

    /** Null for what is no binary operator. */
    static String binary(Exp e) {
        if (e instanceof Add || e instanceof PermAdd) {
            return "+";
        } else if (e instanceof Sub || e instanceof PermSub) {
            return "-";
        } else if (e instanceof Mul || e instanceof PermMul || e instanceof IntPermMul) {
            return "*";
        } else if (e instanceof Div) {
            return "\\";
        } else if (e instanceof Mod) {
            return "%";
        } else if (e instanceof FractionalPerm || e instanceof PermDiv || e instanceof PermPermDiv) {
            return "/";
        } else if (e instanceof And) {
            return "&&";
        } else if (e instanceof Or) {
            return "||";
        } else if (e instanceof Implies) {
            return "==>";
        } else if (e instanceof EqCmp) {
            return "==";
        } else if (e instanceof NeCmp) {
            return "!=";
        } else if (e instanceof LtCmp || e instanceof PermLtCmp) {
            return "<";
        } else if (e instanceof LeCmp || e instanceof PermLeCmp) {
            return "<=";
        } else if (e instanceof GtCmp || e instanceof PermGtCmp) {
            return ">";
        } else if (e instanceof GeCmp || e instanceof PermGeCmp) {
            return ">=";
        } else if (e instanceof SeqAppend) {
            return "++";
        } else if (e instanceof AnySetUnion) {
            return "union";
        } else if (e instanceof AnySetIntersection) {
            return "intersection";
        } else if (e instanceof AnySetMinus) {
            return "setminus";
        } else if (e instanceof AnySetSubset) {
            return "subset";
        }
        return null;
    }
}
