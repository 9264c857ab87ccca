import { definePlugin, defineProvider } from "@pergola/sdk";
import { LocalMlx } from "./local-mlx.ts";
import { thisMachine } from "./machine.ts";

export const localMlx = defineProvider({
  type: "local-mlx",
  prefix: "mlx",
  name: "Local MLX models",
  isLocal: true,
  needsKey: false,
  ...(thisMachine.fault === undefined && { always: "with-models" as const }),
  open: (settings, door) => new LocalMlx(settings, door),
});

export default definePlugin({ providers: [localMlx] });
