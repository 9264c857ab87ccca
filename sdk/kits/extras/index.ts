export { extrasOf, type Extra } from "./extras-of.ts";
export { findPackage } from "./find-package.ts";
export { missingExtra, requireExtra } from "./require-extra.ts";
