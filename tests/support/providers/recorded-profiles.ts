/** The responses of providers as their documentation shows them, shortened and with other values. Each with the page that documents it. */

/** https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload */
export const googleClaims = {
  iss: "https://accounts.google.com",
  sub: "10769150350006150715113082367",
  at_hash: "HK6E_P6Dh8Y93mRNtsDB1Q",
  email: "ada@gmail.example",
  email_verified: true,
  name: "Ada Lovelace",
  given_name: "Ada",
  family_name: "Lovelace",
};

/** https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple#Retrieve-user-information */
export const appleClaims = {
  iss: "https://appleid.apple.com",
  sub: "001999.28b648b6bfb54ff0bd9af21ecb5d3f3f.1123",
  email: "x7k2m9q4tz@privaterelay.appleid.com",
  email_verified: "true",
  is_private_email: "true",
  nonce_supported: true,
};

/** The form field `user`, which Apple sends at the first sign-in only. Same page. */
export const appleUser = {
  name: { firstName: "Ada", lastName: "Lovelace" },
  email: "x7k2m9q4tz@privaterelay.appleid.com",
};

/** https://docs.github.com/en/rest/users/users#get-the-authenticated-user */
export const githubUser = {
  login: "octo-ada",
  id: 583_231,
  avatar_url: "https://github.example/images/octo-ada.jpg",
  html_url: "https://github.com/octo-ada",
  name: "Ada at GitHub",
  email: null,
};

/** https://docs.github.com/en/rest/users/emails#list-email-addresses-for-the-authenticated-user */
export const githubEmails = [{ email: "octo@github.example", verified: true, primary: true, visibility: "public" }];

/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2#response-body-schema */
export const linkedinUser = {
  sub: "782bbtaQ",
  name: "Ada Lovelace",
  given_name: "Ada",
  family_name: "Lovelace",
  picture: "https://media.licdn.example/dms/image/me.jpg",
  email: "ada@linkedin.example",
  email_verified: true,
};

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/#getting-claims-information-from-an-access-token */
export const twitchClaims = {
  iss: "https://id.twitch.tv/oauth2",
  sub: "713936733",
  email: "ada@twitch.example",
  email_verified: true,
  picture: "https://static-cdn.jtvnw.example/ada-profile_image-300x300.png",
  preferred_username: "AdaStreams",
};

/** https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile */
export const spotifyUser = {
  display_name: "Ada",
  email: "ada@spotify.example",
  external_urls: { spotify: "https://open.spotify.com/user/smedjan" },
  id: "smedjan",
  images: [{ url: "https://i.scdn.example/image/ab67616d.jpg", height: 300, width: 300 }],
};

/** https://docs.slack.dev/authentication/sign-in-with-slack/#response (openid.connect.userInfo) */
export const slackUser = {
  ok: true,
  sub: "U0R7JM",
  "https://slack.com/user_id": "U0R7JM",
  "https://slack.com/team_id": "T0R7GR",
  email: "ada@slack.example",
  email_verified: true,
  name: "Ada at Slack",
  picture: "https://avatars.slack-edge.example/ada_512.png",
  given_name: "Ada",
  family_name: "Lovelace",
};

/** The ID token, same page. */
export const slackClaims = {
  iss: "https://slack.com",
  sub: "U0R7JM",
  email: "ada@slack.example",
  email_verified: true,
  "https://slack.com/team_id": "T0R7GR",
  "https://slack.com/user_id": "U0R7JM",
};

/** https://developers.facebook.com/docs/graph-api/reference/user/ */
export const facebookUser = {
  id: "10158222222222222",
  name: "Ada Lovelace",
  email: "ada@facebook.example",
  picture: {
    data: { height: 50, is_silhouette: false, url: "https://platform-lookaside.fbsbx.example/ada.jpg", width: 50 },
  },
};

/** https://developers.facebook.com/docs/facebook-login/guides/access-tokens/debugging */
export const facebookDebugToken = {
  data: { app_id: "client-of-facebook", type: "USER", is_valid: true, user_id: "10158222222222222", scopes: ["email"] },
};

/** https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims, for single sign-on. */
export const ssoClaims = { sub: "ada-1", email: "ada@corp.example", email_verified: true, name: "Ada Lovelace" };
