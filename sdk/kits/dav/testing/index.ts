export { accountSetup } from "./account-setup.ts";
export { toolFailure } from "./tool-failure.ts";
export { hasRadicale, startRadicale, type Radicale } from "./radicale.ts";
