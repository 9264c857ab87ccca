import { fences, type Fence } from "./fences.ts";

/**
 * What becomes of a block: it is run in a shell or by an interpreter, is a tool of the service, its types are
 * checked, it is compared with a recording, taken as settings, as a manifest, as the body of a route or as
 * plain JSON, or nothing.
 */
export type Way = "run" | "tool" | "types" | "recorded" | "settings" | "manifest" | "body" | "json" | "none";

function wayOfJson({ page, text, file }: Fence): Way {
  if (page === "docs/api.md") return "body";
  if (/^\{\n {2}"(\$schema|permissions)"/.test(text)) return "manifest";
  if (file === "package.json" || file === "tsconfig.json") return "json";
  return "settings";
}

const ways: Readonly<Record<string, (fence: Fence) => Way>> = {
  sh: () => "run",
  js: ({ page }) => (page === singleFiles ? "tool" : "run"),
  python: () => "run",
  ts: () => "types",
  json: wayOfJson,
  yaml: () => "settings",
};

/** Whether a page makes a package in an empty folder. */
export const isTutorial = (page: string): boolean =>
  fences.some((fence) => fence.page === page && fence.file === "package.json" && page !== "docs/plugins.md");

/** The page whose files are tools: its service has them. */
export const singleFiles = "docs/single-file-tools.md";

/** Undefined where nobody runs or checks the block, and no comment gives a reason. */
export function wayOf(fence: Fence): Way | undefined {
  if (fence.marker?.kind === "recorded") return "recorded";
  if (fence.marker?.kind === "not run" || fence.marker?.kind === "run by") return "none";
  return ways[fence.language]?.(fence);
}
