import { z } from "zod";

/**
 * `unavailable`: Google can't be reached, or asks us to wait (408, 429, 5xx). `unauthorized`: it doesn't accept this service account.
 * `refused`: it doesn't accept this pass. `reason` is for the log.
 */
export type GoogleFailure = {
  kind: "unavailable" | "unauthorized" | "refused";
  reason: string;
  retryAfterMs?: number | undefined;
  /** An error of the server without a time to wait may be about this pass alone. */
  isOfPass?: boolean;
};

type GoogleResponse = { kind: "response"; status: number; body: unknown; reason: string };

/** An error of Google's APIs, or one of the token endpoint (RFC 6749 §5.2). */
const errorSchema = z.object({
  error: z.union([z.string(), z.object({ status: z.string().optional() })]),
  error_description: z.string().optional(),
});

/** Sends one request to Google and reads the JSON of its response. */
export async function readResponse(url: string, init: RequestInit): Promise<GoogleResponse | GoogleFailure> {
  try {
    const response = await fetch(url, { ...init, redirect: "error" });
    const text = await response.text();
    const body = parseJson(text);
    const reason = reasonOf(body);
    if (response.status === 408 || response.status === 429 || response.status >= 500) {
      const retryAfterMs = retryAfter(response.headers.get("retry-after"));
      return {
        kind: "unavailable",
        reason: `${response.status} ${reason}`.trim(),
        retryAfterMs,
        isOfPass: response.status >= 500 && retryAfterMs === undefined,
      };
    }
    return { kind: "response", status: response.status, body, reason };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    return { kind: "unavailable", reason };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of an error. Its message could repeat what a pass shows. */
function reasonOf(body: unknown): string {
  const { data } = errorSchema.safeParse(body);
  if (!data) return "";
  if (typeof data.error !== "string") return data.error.status ?? "";
  return [data.error, data.error_description].filter(Boolean).join(": ").slice(0, 200);
}

/** RFC 9110 §10.2.3, in seconds. A date is ignored, as the clocks may differ. */
function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}
