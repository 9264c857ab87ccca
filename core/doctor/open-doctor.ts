import type { SettingsSource } from "../settings/read-settings.ts";
import type { Seen } from "./checks.ts";
import type { Doctor, DoctorOptions } from "./doctor.ts";
import type { DoctorService } from "./findings.ts";

/** The part `doctor`; its checks are loaded when somebody asks for the first time. */
export function openDoctor(source: SettingsSource, options: DoctorOptions, seen: () => Seen): DoctorService {
  let opened: Promise<Doctor> | undefined;
  const open = async (): Promise<Doctor> => {
    const { Doctor: Opened, serviceChecks } = await import("./doctor.ts");
    return new Opened(serviceChecks(seen(), source), options);
  };
  return { check: async () => (await (opened ??= open())).check() };
}
