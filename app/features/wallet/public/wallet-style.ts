/**
 * For the page of a card with a pass. One page is cached for all visitors, so CSS decides which badge each device shows: iPhones and iPads
 * support `-webkit-touch-callout`, Apple's computers its system font, and other devices without a mouse run Android. Other computers show
 * Google's badge, if there is one.
 */
export const walletCss =
  ".wallets{display:flex}" +
  ".badge{flex:1;display:flex;align-items:center;justify-content:center;gap:10px;min-height:44px;padding:3px 12px;border:1px solid #a6a6a6;border-radius:10px;background:#000;color:#fff;font:600 .9375rem/1.15 system-ui,sans-serif;text-decoration:none}" +
  ".badge small{color:inherit;font-size:.75rem;font-weight:400}" +
  ".android,.apple:has(+.google){display:none}" +
  "@supports(font:-apple-system-body){.apple:has(+.google){display:flex}.apple+.google{display:none}}" +
  "@media(hover:none) and (pointer:coarse){.apple{display:none}.android,.apple+.google{display:flex}" +
  "@supports(-webkit-touch-callout:none){.apple,.apple:has(+.google){display:flex}.android,.apple+.google{display:none}}}" +
  "@media print{.wallets{display:none}}";
