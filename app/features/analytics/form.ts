import { z } from "zod";

/** What the page's script reports when a link is followed. */
export const clickForm = z.object({
  subject: z
    .string()
    .max(100)
    .regex(/^(?:card|profile):[\w-]+$/),
  target: z.string().min(1).max(100),
});
