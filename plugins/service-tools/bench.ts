import type { Parts } from "@pergola/sdk/host";
import { HeldFiles } from "./held-files.ts";
import { Toolbox } from "./toolbox.ts";

/** Where tools are used: all parts of the host, and the tools within reach. */
export type Bench = Parts & { readonly toolbox: Toolbox; readonly heldFiles: HeldFiles };

/** The parts stay those of the host: what is not made yet is seen once it is. */
export const openBench = (parts: Parts): Bench =>
  Object.assign(Object.create(parts) as Parts, {
    toolbox: new Toolbox(parts, parts.registered.tools),
    heldFiles: new HeldFiles(parts),
  });
