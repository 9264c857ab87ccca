import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { structureOf } from "@pergola/kit-mcp";

/** Bytes of base64 text. */
const sizeOf = (base64: string): number => Buffer.byteLength(base64, "base64");

function blockText(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return `[${block.name}: ${block.uri}]`;
  if (block.type !== "resource") return `[${block.mimeType}, ${sizeOf(block.data)} bytes, not shown]`;
  const { resource } = block;
  if ("text" in resource) return `${resource.uri}:\n${resource.text}`;
  return `${resource.uri}: [${resource.mimeType ?? "bytes"}, ${sizeOf(resource.blob)} bytes, not shown]`;
}

/**
 * The result of an MCP tool as text for the model: texts, also those of resources, what else there is by name
 * and size, and structured content unless a text says the same.
 */
export const resultText = (answer: Partial<CallToolResult>): string =>
  [...(answer.content ?? []).map(blockText), ...structureOf(answer)].join("\n");
