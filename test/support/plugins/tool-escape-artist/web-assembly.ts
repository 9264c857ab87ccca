interface WebAssemblyApi {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly instantiate: (
    module: Uint8Array,
    imports: object,
  ) => Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>;
}

/** Node has it, the types that this tree is checked with have not. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
