// A libcuda.so.1 that writes down each function that is called and hands the call on to the one that TRACE_DRIVER names.
// functions.inc has FUNCTION(name) for every function of that one.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Called by the stubs below, with the name of the function.
__attribute__((used)) void *recorder_find(const char *name)
{
    static void *driver;
    static int trace = -1;
    if (!driver) {
        driver = dlopen(getenv("TRACE_DRIVER"), RTLD_NOW | RTLD_LOCAL);
        trace = open(getenv("TRACE_FILE"), O_WRONLY | O_APPEND | O_CREAT, 0644);
    }
    char line[128];
    int n = snprintf(line, sizeof line, "  %s\n", name);
    if (write(trace, line, n) < 0) abort();
    void *function = driver ? dlsym(driver, name) : NULL;
    if (!function) abort();
    return function;
}

// Arguments are in registers and on the stack; all stay as they are. No function takes floating-point arguments.
#define FUNCTION(name)                                                                                          \
    __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n"                                        \
            "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\nsub $8, %rsp\n"                   \
            "lea .Lname_" #name "(%rip), %rdi\ncall recorder_find@PLT\nmov %rax, %r11\n"                        \
            "add $8, %rsp\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\njmp *%r11\n"             \
            ".section .rodata\n.Lname_" #name ": .string \"" #name "\"\n.text\n");
#include "functions.inc"
