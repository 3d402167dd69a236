/**
 * For the page of a card with a pass. One page is cached for all visitors, so CSS decides which badge each device shows: iPhones and iPads
 * support `-webkit-touch-callout`, and other devices without a mouse run Android. A computer shows the badges of both.
 */
export const walletCss =
  ".wallets{display:flex;flex-wrap:wrap;justify-content:center;gap:10px;margin:-12px 0 26px}" +
  ".badge{display:flex;align-items:center;gap:10px;min-width:180px;min-height:50px;padding:5px 18px 5px 14px;border:1px solid #a6a6a6;border-radius:10px;background:#000;color:#fff;font:600 1.0625rem/1.15 system-ui,sans-serif;text-decoration:none}" +
  ".badge small{color:inherit;font-size:.75rem;font-weight:400}" +
  ".wallets .button{padding:0 18px}" +
  ".android{display:none}" +
  "@media(hover:none) and (pointer:coarse){.apple,.wallets .button{display:none}.android{display:flex}" +
  "@supports(-webkit-touch-callout:none){.apple{display:flex}.android,.google{display:none}}}" +
  "@media print{.wallets{display:none}}";
