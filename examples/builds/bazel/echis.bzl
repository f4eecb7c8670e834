"""Rules for Viper programs. Reports depend on nothing but their inputs, so remote caches can keep them."""

ViperInfo = provider("Viper files that others import.", fields = ["files"])

def _library(ctx):
    files = depset(ctx.files.srcs, transitive = [dep[ViperInfo].files for dep in ctx.attr.deps])
    return [ViperInfo(files = files), DefaultInfo(files = files)]

viper_library = rule(
    implementation = _library,
    attrs = {
        "srcs": attr.label_list(allow_files = [".vpr"]),
        "deps": attr.label_list(providers = [ViperInfo]),
    },
)

def _verify(ctx):
    report = ctx.actions.declare_file(ctx.label.name + ".json")
    imports = depset(transitive = [dep[ViperInfo].files for dep in ctx.attr.deps])
    ctx.actions.run_shell(
        outputs = [report],
        inputs = depset([ctx.file.src], transitive = [imports]),
        tools = [ctx.executable._echis],
        # Bazel keeps the report only if the program verifies.
        command = "{echis} verify --no-cache --format json {program} > {report} || {{ cat {report}; exit 1; }}".format(
            echis = ctx.executable._echis.path,
            program = ctx.file.src.path,
            report = report.path,
        ),
        mnemonic = "EchisVerify",
        progress_message = "Verifying %{input}",
    )
    return [DefaultInfo(files = depset([report]))]

viper_verify = rule(
    implementation = _verify,
    attrs = {
        "src": attr.label(allow_single_file = [".vpr"], mandatory = True),
        "deps": attr.label_list(providers = [ViperInfo]),
        "_echis": attr.label(default = "//tools:echis", executable = True, cfg = "exec"),
    },
)
