import { version } from "../../../package.json";

/** The program's own version, as in package.json. */
export const programVersion: string = version;
