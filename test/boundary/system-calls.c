// Tries each system call that a sandbox refuses, and prints its name with what came of it. Harmless where it
// succeeds: arguments are empty, or undone by the end of the process.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *name, long result) {
  printf("%s %s\n", name, result >= 0 ? "DONE" : strerrorname_np(errno));
  fflush(stdout);
}

#define TRY(name, ...) report(#name, syscall(SYS_##name, ##__VA_ARGS__))

static int nothing(void *unused) { (void)unused; return 0; }

static void new_namespace(const char *name, int flag) {
  static char stack[65536];
  report(name, clone(nothing, stack + sizeof stack, flag | SIGCHLD, NULL));
}

// Those that end the process: each in a program of its own, named by the first argument.
static int deadly(const char *name) {
#ifdef __x86_64__
  if (strcmp(name, "x32") == 0) { syscall(0x40000000 | SYS_getpid); puts("x32 DONE"); return 0; }
  if (strcmp(name, "int80") == 0) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
    puts("int80 DONE");
    return 0;
  }
#endif
  return 2;
}

int main(int count, char **words) {
  if (count > 1) return deadly(words[1]);
  // Attaching to nobody: a process that asks to be traced would stop for ever at its child's end.
  TRY(ptrace, 16, 0, 0, 0);
  TRY(bpf, 0, 0, 0);
  TRY(keyctl, 0, 0, 0, 0, 0);
  TRY(add_key, "user", "pergola", "x", 1, -2);
  TRY(request_key, "user", "pergola", "x", -2);
  TRY(io_uring_setup, 0, 0);
  TRY(io_uring_enter, 0, 0, 0, 0, 0, 0);
  TRY(io_uring_register, 0, 0, 0, 0);
  TRY(userfaultfd, 0);
  TRY(perf_event_open, 0, 0, 0, 0, 0);
  TRY(unshare, CLONE_NEWUSER);
  TRY(setns, 0, 0);
  TRY(mount, "none", "/tmp", "tmpfs", 0, 0);
  TRY(umount2, "/tmp", 0);
  TRY(pivot_root, "/", "/");
  TRY(chroot, "/");
  TRY(open_tree, 0, "/", 0);
  TRY(move_mount, 0, "", 0, "", 0);
  TRY(fsopen, "tmpfs", 0);
  TRY(fsmount, 0, 0, 0);
  TRY(mount_setattr, 0, "", 0, 0, 0);
  TRY(kexec_load, 0, 0, 0, 0);
  TRY(init_module, 0, 0, "");
  TRY(finit_module, 0, "", 0);
  TRY(delete_module, "pergola", 0);
  TRY(quotactl, 0, 0, 0, 0);
  TRY(swapon, "", 0);
  TRY(swapoff, "");
  TRY(reboot, 0, 0, 0, 0);
  TRY(settimeofday, 0, 0);
  TRY(clock_settime, 0, 0);
  TRY(adjtimex, 0);
  TRY(syslog, 3, 0, 0);
  TRY(open_by_handle_at, 0, 0, 0);
  TRY(name_to_handle_at, 0, "/", 0, 0, 0);
  TRY(fanotify_init, 0, 0);
  TRY(mbind, 0, 0, 0, 0, 0, 0);
  TRY(set_mempolicy, 0, 0, 0);
  TRY(move_pages, 0, 0, 0, 0, 0, 0);
  TRY(vmsplice, 0, 0, 0, 0);
  TRY(memfd_secret, 0);
  TRY(pidfd_getfd, 0, 0, 0);
  TRY(kcmp, 0, 0, 0, 0, 0);
  TRY(clone3, 0, 0);
#ifdef __x86_64__
  TRY(iopl, 0);
  TRY(ioperm, 0, 0, 0);
  TRY(modify_ldt, 0, 0, 0);
#endif
  new_namespace("clone-newuser", CLONE_NEWUSER);
  new_namespace("clone-newnet", CLONE_NEWNET);
  new_namespace("clone-newns", CLONE_NEWNS);
  report("socket-alg", socket(38, SOCK_SEQPACKET, 0));
  report("socket-vsock", socket(40, SOCK_STREAM, 0));
  report("socket-packet", socket(AF_PACKET, SOCK_RAW, 0));
  report("socket-netlink-audit", socket(AF_NETLINK, SOCK_RAW, 9));
  report("socket-inet", socket(AF_INET, SOCK_STREAM, 0));
  report("socket-unix", socket(AF_UNIX, SOCK_STREAM, 0));
  report("ioctl-tiocsti", ioctl(0, 0x5412, "x"));
  report("ioctl-tiocsti-high", ioctl(0, 0x100005412UL, "x"));
  report("ioctl-tioclinux", ioctl(0, 0x541c, "x"));
  TRY(personality, 0xffffffff);
  TRY(memfd_create, "pergola", 0);
  TRY(shmget, 0, 4096, 0600 | 01000);
  TRY(msgget, 0, 0600 | 01000);
  TRY(mq_open, "/pergola", O_CREAT | O_RDWR, 0600, 0);
  TRY(process_vm_readv, getpid(), 0, 0, 0, 0, 0);
  report("mmap-shared", mmap(0, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  report("mmap-private", mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  pid_t child = fork();
  if (child == 0) _exit(0);
  report("fork", child);
  return 0;
}
