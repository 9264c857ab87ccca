import { definePlugin } from "@pergola/sdk";
import { scripted } from "./scripted.ts";

export default definePlugin({ providers: [scripted] });
