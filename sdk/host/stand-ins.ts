import type { ProviderDefinition } from "../contract/provider.ts";
import type { RegisteredTool } from "./parts.ts";

/** What takes the place of the outside in a host that a test starts. */
export interface StandIns {
  /** Kinds of providers beside those of the plugins. */
  readonly providers: readonly ProviderDefinition[];
  /** The tool families that the host is to have, made of those that its plugins bring. */
  tools(registered: readonly RegisteredTool[]): readonly RegisteredTool[];
}
