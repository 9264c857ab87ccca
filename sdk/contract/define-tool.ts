import type { Properties } from "../util/schema.ts";
import type { Permissions } from "./permissions.ts";
import type { CollectionOptions } from "./storage.ts";
import type { Operation, OperationDefinition, Tool } from "./tool.ts";

interface ToolFileFields {
  readonly description: string;
  /** What it may reach through the context of a call; what is absent is nothing. It has no settings. */
  readonly permissions?: Omit<Permissions, "secrets">;
  /** The indexes of the collections that it uses, by name. */
  readonly collections?: Readonly<Record<string, CollectionOptions>>;
  readonly icon?: string;
}

/** The default export of a file that is a tool by itself, and named as its file. */
export interface ToolFile extends ToolFileFields, Partial<Omit<Operation, "name" | "description">> {
  /** Several operations; without them the file is one, called `run`. */
  readonly operations?: readonly Operation[];
}

/** A file with one operation, whose argument types are read off `parameters`. */
type OneOperation<P extends Properties, R extends readonly (keyof P & string)[]> = ToolFileFields &
  Omit<OperationDefinition<P, R>, "name" | "description" | "parameters"> & {
    readonly parameters?: P;
    readonly operations?: never;
  };

type SeveralOperations = ToolFileFields & { readonly operations: readonly Operation[] };

/**
 * Checks the types of a tool family, or of a tool in a single file, which is named as its file; returns it
 * unchanged.
 */
export function defineTool(tool: Tool): Tool;
export function defineTool<
  const P extends Properties = Record<never, never>,
  const R extends readonly (keyof P & string)[] = [],
>(file: OneOperation<P, R> | SeveralOperations): ToolFile;
export function defineTool(tool: Tool | ToolFile): Tool | ToolFile {
  return tool;
}
