/**
 * The page of a device that stands on a table: whose form it is, beside the form where there is room, and large targets. On a tablet of
 * 1024 by 768 pixels the usual form fits without scrolling.
 */
export const kioskCss =
  ".page [hidden]{display:none!important}" +
  ".kiosk{display:grid;grid-template:auto 1fr/100%;min-height:100svh}" +
  ".kiosk>:last-child{grid-row:2}" +
  ".booth{position:relative;display:grid;grid-template:auto 1fr auto/100%;gap:20px;padding:20px}" +
  ".owner{display:flex;flex-wrap:wrap;align-items:center;gap:16px}" +
  ".owner>div{flex:1 1 12rem}" +
  ".owner .avatar{flex:none;width:72px;height:72px;background:var(--brand,var(--avatar));color:var(--on-brand,var(--avatar-text));font-size:26px}" +
  // A logo was made for the card's paper.
  ".owner .logo-panel{display:grid;flex:none;place-items:center;max-width:140px;padding:12px 14px;border-radius:var(--r,14px);background:var(--surface)}" +
  '.owner .logo-panel[data-theme="default"]{background:#fbf9f4}' +
  ".owner .logo-panel img{display:block;max-width:100%;max-height:56px}" +
  // Focused by script for each visitor, who can't do anything with it.
  ".kiosk h1{outline:none;font:var(--weight,500) 2rem/1.1 var(--heading);letter-spacing:-.015em;text-wrap:balance}" +
  ".owner h1[data-long]{font-size:1.5rem}" +
  ".owner .who{display:flex;flex-wrap:wrap;gap:0 10px;margin-top:8px}" +
  '.kiosk:not([data-shows="invite"]) .start,.kiosk[data-shows="invite"] .desk,.kiosk[data-shows="thanks"] .owner h1{display:none}' +
  '.kiosk[data-shows="thanks"] .owner .who{margin:0;font-size:1.25rem}' +
  ".kiosk .form{gap:16px;margin:0}" +
  ".kiosk .field :is(input,textarea,select){min-height:54px;font-size:1.125rem}" +
  ".kiosk .field textarea{min-height:84px}" +
  ".kiosk .agree{gap:8px 16px;font-size:1rem;line-height:1.4}" +
  ".kiosk .agree input{width:32px;height:32px}" +
  ".kiosk .agree label{padding:4px 0}" +
  ".kiosk .form .button{min-height:60px;font-size:1.25rem}" +
  ".kiosk summary{display:inline-flex;align-items:center;min-height:44px;cursor:pointer}" +
  ".kiosk .form summary{color:var(--muted);font-size:.875rem;text-decoration:underline;text-underline-offset:4px}" +
  ".kiosk .form details{margin-top:-12px}" +
  ".kiosk details :is(p,li){margin:0 0 8px;color:var(--muted);font-size:.875rem}" +
  ".kiosk details ul{padding-inline-start:20px;list-style:disc}" +
  ".kiosk .warning{display:grid;gap:6px;margin:20px 20px 0;padding:14px 16px;border:2px solid var(--text);border-radius:var(--r,12px)}" +
  ".kiosk .idle{position:sticky;z-index:1;top:12px;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:12px;margin-bottom:20px;padding:12px 16px;border:2px solid var(--text);border-radius:var(--r,12px);background:var(--surface)}" +
  ".kiosk .idle .button{padding-inline:16px}" +
  ".kiosk .done{display:grid;justify-items:center;gap:14px;padding:12px 0;text-align:center}" +
  ".kiosk .closed{place-content:center;grid-row:1/-1;padding:20px}" +
  ".kiosk .closed .form{width:min(340px,80vw);text-align:start}" +
  ".kiosk .dots{-webkit-text-security:disc}" +
  ".kiosk .check{width:72px;height:72px;font-size:28px}" +
  ".kiosk .done .code{display:block;width:min(232px,70vw);padding:8px;border-radius:12px;background:#fff;forced-color-adjust:none}" +
  ".kiosk .done p{max-width:480px}" +
  ".kiosk :is(.done,.owner)>.button{min-width:240px;min-height:64px;font-size:1.25rem}" +
  // Small and in a corner: visitors don't need it.
  ".device{display:flex;flex-wrap:wrap;align-items:center;gap:0 18px;color:var(--muted);font-size:.75rem}" +
  ".device :is(button,a){display:inline-flex;align-items:center;min-height:44px;padding:0;border:0;background:none;color:inherit;font:inherit;text-decoration:none;cursor:pointer}" +
  // The invitation: the whole screen is its button.
  '.kiosk[data-shows="invite"] .owner{grid-row:1/3;flex-flow:column;justify-content:center;gap:28px;text-align:center}' +
  '.kiosk[data-shows="invite"] .owner>div{flex:none}' +
  '.kiosk[data-shows="invite"] .owner .who{justify-content:center;font-size:1.25rem}' +
  '.kiosk[data-shows="invite"] .owner .avatar{width:144px;height:144px;font-size:52px}' +
  '.kiosk[data-shows="invite"] .owner .logo-panel{max-width:280px;padding:20px 24px}' +
  '.kiosk[data-shows="invite"] .owner .logo-panel img{max-height:112px}' +
  '.kiosk[data-shows="invite"] h1{font-size:clamp(2.5rem,8cqw,5rem)}' +
  ".owner .start{padding-inline:40px}" +
  '.start::before{content:"";position:fixed;inset:0}' +
  ".kiosk .device{position:relative}" +
  // Not of the button itself: its first part, which is fixed, would no longer cover the screen.
  "@media (prefers-reduced-motion:no-preference){.start::after{animation:invite 2s ease-out infinite}@keyframes invite{from{opacity:.8;transform:none}to{opacity:0;transform:scale(1.1,1.4)}}}" +
  "@container (min-width:700px){.booth{padding:40px 48px 12px;gap:28px}" +
  ".owner{gap:24px}.owner .avatar{width:112px;height:112px;font-size:40px}.owner .logo-panel{max-width:220px;padding:16px 20px}.owner .logo-panel img{max-height:80px}" +
  ".device .about{position:absolute;z-index:2;inset:auto auto 60px 24px;width:420px;padding:16px 18px 8px;border:1px solid var(--line);border-radius:var(--r,12px);background:var(--surface);box-shadow:0 10px 30px #0004}" +
  ".kiosk h1{font-size:3rem}.owner h1[data-long]{font-size:2.25rem}.owner .who{font-size:1.125rem}" +
  // Inputs beside each other stay level where a label has two lines. An error below one of them would move the other.
  ".kiosk .form{grid-template-columns:1fr 1fr}.kiosk .form:not(:has(.error)){align-items:end}" +
  ".kiosk .form>:not(.field),.kiosk .form>.field:has(textarea),.kiosk .form>.field:nth-child(1 of .field):nth-last-child(1 of .field){grid-column:1/-1}}" +
  "@container (min-width:900px){.booth{grid-template:1fr auto/minmax(300px,36%) 1fr;gap:0;padding:0}" +
  ".owner{grid-area:1/1/3/2;flex-flow:column;align-items:flex-start;justify-content:center;padding:40px 40px 72px;background:color-mix(in srgb,var(--accent) 9%,var(--surface));border-inline-end:1px solid var(--line)}" +
  ".owner>div{flex:none}.owner .avatar{width:136px;height:136px;font-size:48px}.owner .logo-panel{max-width:100%}.owner .logo-panel img{max-height:104px}" +
  ".owner h1{font-size:clamp(2.75rem,5.2cqw,4.5rem)}.owner .who{flex-direction:column;margin-top:16px}" +
  ".desk{grid-area:1/2/3/3;align-self:center;width:100%;max-width:760px;margin-inline:auto;padding:24px 44px}" +
  ".kiosk .device{grid-area:2/1;padding:0 40px 10px}" +
  '.kiosk[data-shows="invite"] .owner{grid-column:1/-1;align-items:center;border:0}}';
