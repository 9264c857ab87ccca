export * from "./decode-bytes.ts";
export * from "./decode-text.ts";
export * from "./describe-entry.ts";
export * from "./entry-facts.ts";
export * from "./human-size.ts";
export * from "./image-facts.ts";
export * from "./pdf.ts";
