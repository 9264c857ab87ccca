import { systemCalls, type SystemCall } from "./system-calls.ts";

// The filter of system calls for what runs in a sandbox: a program of classic BPF, as `bwrap --seccomp` reads
// it (linux/seccomp.h, linux/bpf_common.h).

/** Offsets in `struct seccomp_data`; of an argument, its low 32 bits. */
const offset = { number: 0, architecture: 4, argument: (index: number) => 16 + 8 * index };
const code = { load: 0x20, equal: 0x15, atLeast: 0x35, anyBit: 0x45, and: 0x54, answer: 0x06 };
const answer = { kill: 0x8000_0000, allow: 0x7fff_0000, error: (number: number) => 0x0005_0000 | number };
const errors = { EPERM: 1, EACCES: 13, ENOSYS: 38 };
const platforms = {
  x64: { column: 0, architecture: 0xc000_003e },
  arm64: { column: 1, architecture: 0xc000_00b7 },
} as const;
/** The bit in the numbers of x32, the second way to call on x64. */
const x32 = 0x4000_0000;
const newNamespaces = 0x7e02_0000;
const thread = 0x0001_0000;
const terminalInput = [0x5412, 0x541c];
const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
/** MAP_SHARED and MAP_ANONYMOUS together: memory that no limit of data counts. */
const sharedAnonymous = 0x21;

type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
type Condition = readonly Step[];
type ErrorName = keyof typeof errors;

/** Refused to everything in a sandbox. */
const refusedToAll: readonly SystemCall[] = [
  ...(["bpf", "keyctl", "add_key", "request_key", "userfaultfd", "perf_event_open"] as const),
  ...(["mount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick"] as const),
  ...(["mount_setattr", "pivot_root", "chroot", "setns", "unshare"] as const),
  ...(["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"] as const),
  ...(["quotactl", "quotactl_fd", "swapon", "swapoff", "reboot", "acct", "syslog", "vhangup"] as const),
  ...(["settimeofday", "clock_settime", "clock_adjtime", "adjtimex"] as const),
  ...(["open_by_handle_at", "name_to_handle_at", "fanotify_init", "fanotify_mark"] as const),
  ...(["iopl", "ioperm", "modify_ldt", "uselib", "lookup_dcookie", "nfsservctl", "_sysctl"] as const),
  ...(["mbind", "set_mempolicy", "get_mempolicy", "migrate_pages", "move_pages"] as const),
  ...(["set_mempolicy_home_node", "vmsplice", "memfd_secret", "pidfd_getfd", "kcmp"] as const),
  ...(["sethostname", "setdomainname"] as const),
];

/** As if the kernel had them not, so that libraries fall back to what can be looked at. */
const unknownToAll: readonly SystemCall[] = [
  "clone3",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
];

/** Refused to plugins: other processes, and memory that their limit does not count. */
const refusedToPlugins: readonly SystemCall[] = [
  ...(["fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise"] as const),
  ...(["personality", "memfd_create", "remap_file_pages"] as const),
  ...(["msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl"] as const),
  ...(["shmget", "shmat", "shmdt", "shmctl"] as const),
  ...(["mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"] as const),
];

const load = (place: number): Step => [code.load, 0, 0, place];
const end = (value: number): Step => [code.answer, 0, 0, value];
const fail = (name: ErrorName): Step => end(answer.error(errors[name]));
const allow = end(answer.allow);

/** Judges one system call by its number; the steps end in an answer. */
const forCall = (number: number, steps: Condition): Condition => [
  [code.equal, 0, steps.length, number],
  ...steps,
];

/** Allowed with these values of an argument; others fail. */
const onlyWith = (index: number, values: readonly number[], name: ErrorName): Condition => [
  load(offset.argument(index)),
  ...values.flatMap((value): Condition => [[code.equal, 0, 1, value], allow]),
  fail(name),
];

/** Fails with these values of an argument; others are allowed. */
const neverWith = (index: number, values: readonly number[], name: ErrorName): Condition => [
  load(offset.argument(index)),
  ...values.flatMap((value): Condition => [[code.equal, 0, 1, value], fail(name)]),
  allow,
];

const newProcess: Readonly<Record<"plugin" | "program", Condition>> = {
  plugin: [
    load(offset.argument(0)),
    [code.anyBit, 0, 1, newNamespaces],
    fail("EPERM"),
    [code.anyBit, 0, 1, thread],
    allow,
    fail("EPERM"),
  ],
  program: [load(offset.argument(0)), [code.anyBit, 0, 1, newNamespaces], fail("EPERM"), allow],
};

const { unix, inet, inet6, netlink } = families;
const newSocket: Readonly<Record<"plugin" | "program", Condition>> = {
  plugin: [fail("EACCES")],
  program: [
    load(offset.argument(0)),
    ...[unix, inet, inet6].flatMap((family): Condition => [[code.equal, 0, 1, family], allow]),
    [code.equal, 1, 0, netlink],
    fail("EACCES"),
    // Of netlink only the protocol that tells of addresses and routes.
    ...onlyWith(2, [0], "EACCES"),
  ],
};

const mapping: Condition = [
  load(offset.argument(3)),
  [code.and, 0, 0, sharedAnonymous],
  [code.equal, 0, 1, sharedAnonymous],
  fail("EPERM"),
  allow,
];

function rules(kind: "plugin" | "program"): readonly (readonly [SystemCall, Condition])[] {
  const each = (names: readonly SystemCall[], name: ErrorName) =>
    names.map((one) => [one, [fail(name)]] as const);
  return [
    ...each(refusedToAll, "EPERM"),
    ...each(unknownToAll, "ENOSYS"),
    ["ioctl", neverWith(1, terminalInput, "EPERM")],
    ["clone", newProcess[kind]],
    ["socket", newSocket[kind]],
    ...(kind === "plugin" ? each(refusedToPlugins, "EPERM") : []),
    ...(kind === "plugin" ? [["mmap", mapping] as const] : []),
  ];
}

/** The steps as `struct sock_filter`, eight bytes each, in the byte order of both platforms. */
function assemble(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * 8);
  steps.forEach(([operation, ifTrue, ifFalse, value], index) => {
    const at = index * 8;
    bytes.writeUInt16LE(operation, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  });
  return bytes;
}

/**
 * The filter for a plugin or a program; undefined on a processor whose numbers are not known here. A call by
 * another architecture's numbers kills the process.
 */
export function seccompFilter(kind: "plugin" | "program", processor: string): Buffer | undefined {
  if (processor !== "x64" && processor !== "arm64") return undefined;
  const { column, architecture } = platforms[processor];
  const known = rules(kind).flatMap(([name, steps]) => {
    const number = systemCalls[name][column];
    return number === null ? [] : forCall(number, steps);
  });
  const otherWay: Condition = processor === "x64" ? [[code.atLeast, 0, 1, x32], end(answer.kill)] : [];
  return assemble([
    load(offset.architecture),
    [code.equal, 1, 0, architecture],
    end(answer.kill),
    load(offset.number),
    ...otherWay,
    ...known,
    allow,
  ]);
}
