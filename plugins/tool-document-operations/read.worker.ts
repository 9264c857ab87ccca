import { readKinds } from "./read/read-kinds.ts";
import "./read/transfer-polyfill.ts";
import { serve } from "./thread/serve.ts";

await serve(readKinds);
