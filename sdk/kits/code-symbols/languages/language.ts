/**
 * What an occurrence of a symbol does: gives it its body or value, calls it, names it without defining it, or
 * anything else.
 */
export type UsageKind = "definition" | "call" | "declaration" | "reference";

/**
 * How a language tells what its names do: a row of data. Lists are words set apart by white space. The names
 * of nodes and fields are the grammar's own; a list of places is made of selectors (see `selector.ts`). A
 * name in any place that is in no list is a reference; where several selectors fit, the one with most demands
 * decides, then the list that comes first.
 */
export interface Language {
  readonly name: string;
  /** The grammar's file, as a module. */
  readonly grammar: string;
  /** Ends of file names, without the dot. */
  readonly extensions: string;
  /** The grammar does not know all of the language, such as macros: treat its errors as warnings. */
  readonly isApproximate?: boolean;
  /** Optimizing the grammar's code takes V8 half a minute, and holds up every other grammar meanwhile. */
  readonly hasHugeParser?: boolean;
  /** Nodes that hold a name. */
  readonly names: string;
  readonly definition?: string;
  readonly declaration?: string;
  readonly call?: string;
  /** Exceptions from the other lists. */
  readonly reference?: string;
  /** The last part of a longer name, as in `a.b`: called if the longer name is called, else a reference. */
  readonly member?: string;
  /** What merely wraps a name: the place of the wrapping decides. */
  readonly through?: string;
  /** Nodes whose text the grammar leaves unread although it is code, such as the body of a macro. */
  readonly unread?: string;
}
