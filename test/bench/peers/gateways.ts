import { chat, many, modelDoor, serviceDoor, type Door } from "../client.ts";
import { cpuPer, measure, median, type Round } from "../measure.ts";
import { cores, place } from "../processes.ts";
import { join } from "../report.ts";
import type { Setting } from "../setting.ts";
import { runStreams } from "../streams.ts";
import type { Gateway } from "./catalogue.ts";
import type { Comparison, Subject } from "./report.ts";
import { startPeer } from "./start-peer.ts";

type Leg = (pid: number, door: Door) => Round;

export interface GatewayRow extends Subject {
  readonly on: string;
  readonly leg: Leg;
  /** Taken off both: what the model itself takes. */
  readonly less?: (setting: Setting) => Round;
}

const turns = 300;
const firstOf =
  (door: Door): Round =>
  async () => {
    const times: number[] = [];
    for (let turn = 0; turn < 40; turn++)
      times.push((await chat(door, { model: "s-2-1", stream: true })).first);
    return median(times);
  };

export const gatewayRows: readonly GatewayRow[] = [
  {
    id: "P1",
    what: "CPU of a chat turn",
    unit: "µs",
    on: cores.one,
    leg: (pid, door) => () =>
      cpuPer({ pid }, turns, () => many(turns, 32, () => chat(door, { model: "echo" }))),
  },
  {
    id: "P2",
    what: "added to the first token",
    unit: "ms",
    on: cores.two,
    leg: (_, door) => firstOf(door),
    less: ({ mock }) => firstOf(modelDoor(mock.port)),
  },
  {
    id: "P3",
    what: "CPU of a relayed text, 100 streams × 20/s",
    unit: "µs",
    on: cores.one,
    leg: (pid, door) => async () => {
      const run = (model: string) => cpuPer({ pid }, 1, () => runStreams(door, model, 100, 50));
      const short = await run("s-5-50");
      return ((await run("s-30-50")) - short) / (100 * 25);
    },
  },
];

/** A gateway and Pergola in turns, on the same cores. */
export async function compareGateway(
  setting: Setting,
  gateway: Gateway,
  row: GatewayRow,
): Promise<Comparison> {
  const { id, what, unit, on, leg, less } = row;
  const running = await startPeer(gateway, on, { mock: setting.mock.port, files: setting.files });
  try {
    place(setting.service.pid, on);
    const nothing: Round = async () => 0;
    const { of, note } = await measure(
      {
        none: less?.(setting) ?? nothing,
        theirs: leg(running.pid, gateway.door(running.scene)),
        ours: leg(setting.service.pid, serviceDoor(setting.service.port)),
      },
      { warm: 5 },
    );
    const [theirs, ours] = [of.theirs, of.ours].map((values) => median(values) - median(of.none));
    return { id, what, unit, peer: gateway.name, theirs, ours, note: join(gateway.note, note) };
  } finally {
    await running.end();
  }
}
