export * from "./code-list.ts";
export * from "./collections.ts";
export * from "./declaration.ts";
export * from "./euclidean.ts";
export * from "./id-to-find.ts";
export * from "./rank-rows.ts";
export * from "./vector-bytes.ts";
