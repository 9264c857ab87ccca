import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

/** Answers as a server that speaks the revision 2026-07-28 alone; its tool `who` says `answer`. */
export async function serveStateless(
  request: IncomingMessage,
  response: ServerResponse,
  answer: string,
): Promise<void> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "stateless", version: "1" });
      server.registerTool("who", { description: "Say who asks." }, () => ({
        content: [{ type: "text", text: answer }],
      }));
      return server;
    },
    { legacy: "reject" },
  );
  const { method = "GET", headers } = request;
  const {
    status,
    headers: sent,
    body,
  } = await handler.fetch(
    new Request("http://localhost/mcp", {
      method,
      headers: headers as Record<string, string>,
      ...(method === "POST" && { body: await text(request) }),
    }),
  );
  response.writeHead(status, Object.fromEntries(sent));
  if (body === null) response.end();
  else Readable.fromWeb(body).pipe(response);
}
