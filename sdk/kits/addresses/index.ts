export { privateAddresses, publicAddresses, type Accepts } from "./addresses.ts";
export { guardedLookup, refusedHost } from "./guarded-lookup.ts";
