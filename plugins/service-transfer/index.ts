import { defineHostPlugin } from "@pergola/sdk/host";
import { Transfer } from "./transfer.ts";

export default defineHostPlugin({ parts: { transfer: (parts) => new Transfer(parts) } });
