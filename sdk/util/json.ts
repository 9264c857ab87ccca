/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;
