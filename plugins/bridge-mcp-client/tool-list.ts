import type { Link } from "./link.ts";
import type { McpTool } from "./mcp-tool.ts";

/** The tools of one server, as it lists them. */
export class ToolList {
  #listed: { readonly link: Link; readonly tools: Promise<readonly McpTool[]> } | undefined;

  /** The link that they were listed over last. */
  get link(): Link | undefined {
    return this.#listed?.link;
  }

  /** What the server lists now; asked once, until it says that the list is another one. */
  of(link: Link): Promise<readonly McpTool[]> {
    if (this.#listed?.link !== link || link.stale) return this.again(link);
    return this.#listed.tools;
  }

  /** The same, asked in any case. */
  again(link: Link): Promise<readonly McpTool[]> {
    this.#listed = { link, tools: link.list() };
    return this.#listed.tools;
  }
}
