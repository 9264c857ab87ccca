import type { SandboxLimits } from "@pergola/sdk/host";

/** The descriptor on which the command finds the filter of system calls. */
export const filterDescriptor = 4;

/** What the shell's `ulimit` counts in: kibibytes of data, blocks of 512 bytes of a file. */
const units = { data: 1024, file: 512 };

function limitCommands({ dataBytes, fileBytes, files }: SandboxLimits): readonly string[] {
  const limits = [
    ["-c", 0],
    ["-d", Math.floor(dataBytes / units.data)],
    ["-f", Math.floor(fileBytes / units.file)],
    ["-n", files],
  ] as const;
  return limits
    .filter(([, value]) => Number.isFinite(value))
    .map(([option, value]) => `ulimit ${option} ${value}`);
}

/**
 * A command line that limits itself before it runs another, without native code: works for pipes and for
 * terminals alike. The filter is opened for the command on its descriptor.
 */
export function limited(
  limits: SandboxLimits,
  filter: string | undefined,
  command: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  const run = filter === undefined ? 'exec "$@"' : `exec "$@" ${filterDescriptor}<"$0"`;
  const script = [...limitCommands(limits), run].join("; ");
  return { program: "/bin/sh", args: ["-c", script, filter ?? "sandbox", ...command] };
}
