export { privateAddresses, publicAddresses, type Accepts } from "./addresses.ts";
export { isOwnAddress } from "./own-address.ts";
export { guardedLookup, refusedHost } from "./guarded-lookup.ts";
