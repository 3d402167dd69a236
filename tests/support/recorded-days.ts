import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Program } from "./program.ts";

const minutesPerDay = 1_440;
const day = 86_400_000;

/**
 * So many days before today in which all was well, as the program would have recorded them minute by minute. `marks`: how another one
 * began, by how many days ago it was: a sign for each minute, as status_day keeps them. Answers what day it is, counted from 1970 in UTC.
 */
export function recordDays({ dataDir }: Program, count: number, marks: Record<number, string> = {}): number {
  const database = new DatabaseSync(join(dataDir, "meishi.db"), { timeout: 5_000 });
  const today = Math.floor(Date.now() / day);
  const insert = database.prepare("insert into status_day (day, minutes) values (?, ?)");
  for (let back = count; back > 0; back--) insert.run(today - back, (marks[back] ?? "").padEnd(minutesPerDay, "0"));
  database.close();
  return today;
}
