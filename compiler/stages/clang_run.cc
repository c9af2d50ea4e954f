// Clang's driver and front end, and LLVM's options, have no C interface: this file alone is C++.
#include "compiler/stages/clang_run.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Stack.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Job.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/FrontendTool/Utils.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/Host.h>

namespace {

using Words = llvm::ArrayRef<const char *>;

// The step that the driver makes of a command line, as the arguments of `clang -cc1`. Empty if it refuses it.
Words arguments_of_step(const clang::driver::Compilation &compilation) {
    const auto &jobs = compilation.getJobs();
    if (compilation.containsError() || jobs.size() != 1) return {};
    return Words(jobs.begin()->getArguments()).drop_front(); // without -cc1
}

bool run_step(Words arguments) {
    clang::CompilerInstance compiler;
    // What is said about the arguments waits until they have said how to print it.
    auto *early = new clang::TextDiagnosticBuffer;
    clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, new clang::DiagnosticOptions, early);
    bool good = clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), arguments, diagnostics);
    compiler.createDiagnostics();
    early->FlushDiagnostics(compiler.getDiagnostics());
    return good && clang::ExecuteCompilerInvocation(&compiler);
}

} // namespace

int clang_run(int argc, char *const *argv) {
    clang::noteBottomOfStack();
    llvm::install_out_of_memory_new_handler();
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options(new clang::DiagnosticOptions);
    auto *printer = new clang::TextDiagnosticPrinter(llvm::errs(), options.get());
    printer->setPrefix("clang");
    clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, options, printer);
    clang::driver::Driver driver(LLVM_DIRECTORY "/bin/clang", llvm::sys::getDefaultTargetTriple(),
                                 diagnostics);
    const std::unique_ptr<clang::driver::Compilation> compilation(
        driver.BuildCompilation(Words(argv, static_cast<size_t>(argc))));
    if (!compilation) return 1;
    const Words arguments = arguments_of_step(*compilation);
    bool good = !arguments.empty() && run_step(arguments);
    llvm::outs().flush();
    return good ? 0 : 1;
}

void clang_forget_options(void) {
    llvm::cl::ResetAllOptionOccurrences();
}
