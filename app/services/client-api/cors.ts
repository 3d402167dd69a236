/** Pages of any site may call and read the response, because it depends on no cookie that they could send. */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Content-Range, Content-Location, Location, Retry-After, X-Supabase-Api-Version",
};

/** The response to the question before a call of another site (Fetch standard, 3.2.2). */
export function preflightHeaders(header: (name: string) => string | undefined): Record<string, string> {
  return {
    ...corsHeaders,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    // Clients add headers of their own. "*" doesn't include Authorization (Fetch standard, 3.3.4).
    "access-control-allow-headers": header("access-control-request-headers") ?? "Authorization, apikey",
    "access-control-max-age": "86400",
  };
}
