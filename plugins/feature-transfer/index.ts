import { definePlugin } from "@pergola/sdk";
import { transfer } from "./routes.ts";
import { Transfer } from "./transfer.ts";

export default definePlugin({ parts: { transfer: (parts) => new Transfer(parts) }, endpoints: [transfer] });
