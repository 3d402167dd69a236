import { isbot } from "isbot";

type Headers = Record<string, string | string[] | undefined>;

/** Whether a request is a person's: not a robot's, not a browser fetching ahead of a click. Header names in lower case. */
export function isCounted(headers: Headers): boolean {
  const purpose = headers["sec-purpose"] ?? headers["purpose"];
  if (purpose !== undefined && String(purpose).includes("prefetch")) return false;
  const userAgent = headers["user-agent"];
  return typeof userAgent === "string" && userAgent !== "" && !isRobot(userAgent);
}

const judged = new Map<string, boolean>();

/** Remembered for the last thousands of names: the same few browsers ask again and again. */
function isRobot(userAgent: string): boolean {
  const known = judged.get(userAgent);
  if (known !== undefined) return known;
  const answer = isbot(userAgent);
  if (judged.size >= 4_000) judged.clear();
  if (userAgent.length <= 512) judged.set(userAgent, answer);
  return answer;
}
