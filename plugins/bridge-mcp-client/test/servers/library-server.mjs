// An MCP server with resources and prompts, over stdio.
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "library", version: "1.0.0" });
server.registerTool("noop", { description: "Do nothing." }, () => ({ content: [] }));
server.registerResource("manual", "doc://manual", { description: "How it is used." }, () => ({
  contents: [{ uri: "doc://manual", text: "Turn it on." }],
}));
const bytes = (text) => Buffer.from(text).toString("base64");
server.registerResource("logo", "doc://logo", { mimeType: "image/png" }, () => ({
  contents: [{ uri: "doc://logo", mimeType: "image/png", blob: bytes("pixels") }],
}));
server.registerResource(
  "page",
  new ResourceTemplate("doc://pages/{number}", { list: undefined }),
  {},
  (uri, page) => ({
    contents: [{ uri: uri.href, text: `Page ${page.number}\u202e` }],
  }),
);
server.registerPrompt(
  "triage",
  { description: "Sort it.", argsSchema: { issue: z.string() } },
  ({ issue }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Sort the issue ${issue}.` } }],
  }),
);
await server.connect(new StdioServerTransport());
