import { serve } from "./thread/serve.ts";
import { writeKinds } from "./write/write-kinds.ts";

await serve(writeKinds);
