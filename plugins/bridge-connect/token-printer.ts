import type { Token } from "./client.ts";
import { quoted } from "./quoted.ts";

/** A command that prints the token, for clients that run one to have it. */
export const tokenPrinter = ({ file, variable }: Token): string =>
  file === undefined ? `printenv ${variable}` : `cat ${quoted(file)}`;
