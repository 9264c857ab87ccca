import { definePlugin } from "@pergola/sdk";
import { Transfer } from "./transfer.ts";

export default definePlugin({ parts: { transfer: (parts) => new Transfer(parts) } });
