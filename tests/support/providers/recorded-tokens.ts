/**
 * What the token endpoints of providers answer, as their documentation shows it, with other values: to a code, and to one that isn't valid.
 * An ID token is added where there is a place for one. Each with the pages that document it.
 */
type RecordedTokens = {
  tokens: Record<string, unknown>;
  refusal: { status: number; body: Record<string, unknown> };
};

/** By the host of the token endpoint. */
export const recordedTokens: Record<string, RecordedTokens> = {
  /** https://developers.google.com/identity/protocols/oauth2/web-server#exchange-authorization-code, and the errors on the same page. */
  "oauth2.googleapis.com": {
    tokens: {
      access_token: "1/fFAGRNJru1FTz70BzhT3Zg",
      expires_in: 3920,
      token_type: "Bearer",
      scope: "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile",
      id_token: "",
    },
    refusal: { status: 400, body: { error: "invalid_grant", error_description: "Bad Request" } },
  },
  /** https://developer.apple.com/documentation/signinwithapplerestapi/tokenresponse and …/errorresponse */
  "appleid.apple.com": {
    tokens: {
      access_token: "adg61...67Or9",
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: "rca7...lABoQ",
      id_token: "",
    },
    refusal: { status: 400, body: { error: "invalid_grant" } },
  },
  /**
   * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#response-1
   * https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors#bad-verification-code
   */
  "github.com": {
    tokens: {
      access_token: "gho_16C7e42F292c6912E7710c838347Ae178B4a",
      scope: "read:user,user:email",
      token_type: "bearer",
    },
    refusal: {
      status: 200,
      body: {
        error: "bad_verification_code",
        error_description: "The code passed is incorrect or expired.",
        error_uri:
          "/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/#bad-verification-code",
      },
    },
  },
  /** https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow#step-3-exchange-authorization-code-for-an-access-token */
  "www.linkedin.com": {
    tokens: { access_token: "AQUvlL_DYEzvT2wz1QJiEPeLioeA", expires_in: 5_184_000, scope: "openid profile email" },
    refusal: {
      status: 400,
      body: {
        error: "invalid_request",
        error_description: "Unable to retrieve access token: authorization code not found",
      },
    },
  },
  /** https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/#oidc-authorization-code-grant-flow */
  "id.twitch.tv": {
    tokens: {
      access_token: "rfx2uswqe8l4g1mkagrvg5tv0ks3",
      expires_in: 14_124,
      id_token: "",
      refresh_token: "5b93chm6hdve3mycz05zfzatkfdenfspp1h1ar2xxdalen01",
      scope: ["user:read:email", "openid"],
      token_type: "bearer",
    },
    refusal: { status: 400, body: { status: 400, message: "Invalid authorization code" } },
  },
  /** https://developer.spotify.com/documentation/web-api/tutorials/code-flow#response-1 and …/concepts/api-calls#authentication-error-object */
  "accounts.spotify.com": {
    tokens: {
      access_token: "NgCXRKc...MzYjw",
      token_type: "Bearer",
      scope: "user-read-email",
      expires_in: 3600,
      refresh_token: "NgAagA...Um_SHo",
    },
    refusal: { status: 400, body: { error: "invalid_grant", error_description: "Invalid authorization code" } },
  },
  /** https://docs.slack.dev/reference/methods/openid.connect.token and https://docs.slack.dev/authentication/sign-in-with-slack/#response */
  "slack.com": {
    tokens: { ok: true, access_token: "xoxp-1234", token_type: "Bearer", id_token: "" },
    refusal: { status: 200, body: { ok: false, error: "invalid_code" } },
  },
  /** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow#confirm and …/graph-api/guides/error-handling */
  "graph.facebook.com": {
    tokens: { access_token: "EAAGm0PX4ZCpsBA", token_type: "bearer", expires_in: 5_183_944 },
    refusal: {
      status: 400,
      body: {
        error: {
          message: "Invalid verification code format.",
          type: "OAuthException",
          code: 100,
          fbtrace_id: "EJplcsCHuLu",
        },
      },
    },
  },
};
