/**
 * What public-page.css lacks for the form of a card. Errors have the theme's own colors: no red is readable on each ground. The
 * settings apply it to their preview, so each rule starts with ".page".
 */
export const connectCss =
  ".page .to{display:flex;align-items:center;gap:16px;margin:12px 0 24px}" +
  ".page .to .avatar{width:64px;height:64px;font-size:24px;flex:none}" +
  ".page .to :is(h1,h2){font:500 1.5rem/1.2 var(--heading)}" +
  ".page .to p{color:var(--muted)}" +
  ".page .form{display:grid;gap:18px;margin-bottom:26px}" +
  ".page [role=status]+.form{margin-top:18px}" +
  // Beside a field with an error, it doesn't grow.
  ".page .field{display:grid;align-content:start;gap:6px}" +
  ".page .field label{font-weight:600}" +
  ".page .field :is(input,textarea,select){width:100%;min-height:50px;padding:11px 14px;border:1px solid var(--muted);border-radius:var(--r,12px);background:var(--surface);color:var(--text);font:inherit}" +
  ".page .field textarea{resize:vertical}" +
  ".page .agree{display:grid;grid-template-columns:auto 1fr;gap:6px 12px;font-size:.875rem}" +
  // Drawn here, because browsers draw them for a light page: no theme declares a color scheme.
  ".page .field select{appearance:none;padding-inline-end:40px;background:linear-gradient(45deg,#0000 50%,var(--muted) 0) right 21px center/6px 6px no-repeat,linear-gradient(-45deg,#0000 50%,var(--muted) 0) right 15px center/6px 6px no-repeat var(--surface)}" +
  ".page .agree input{appearance:none;display:grid;place-items:center;width:24px;height:24px;margin:0;border:1px solid var(--muted);border-radius:6px;background:var(--surface)}" +
  ".page .agree :checked{border-color:var(--button);background:var(--button)}" +
  '.page .agree :checked::after{content:"";width:7px;height:12px;margin-top:-3px;border:solid var(--button-text);border-width:0 2px 2px 0;transform:rotate(45deg)}' +
  ".page .agree .error{grid-column:1/-1}" +
  ".page .hint{color:var(--muted);font-weight:400;font-size:.875rem}" +
  // As large as a finger, without changing the line.
  ".page :is(.hint,[role=status]) a{padding-block:14px}" +
  ".page .error{display:flex;gap:10px;padding:9px 12px;border-radius:8px;background:color-mix(in srgb,var(--text) 10%,var(--ground));color:var(--text);font-size:.875rem;font-weight:500}" +
  ".page :is(.field,.agree) [aria-invalid]{border:2px solid var(--text)}" +
  '.page .error::before{content:"!"/"";flex:none;width:20px;height:20px;border:1.5px solid;border-radius:50%;font-weight:700;line-height:17px;text-align:center}' +
  ".page .check{display:grid;flex:none;place-items:center;width:56px;height:56px;border-radius:50%;background:var(--button);color:var(--button-text);font-size:22px}" +
  '.page .check::after{content:"";width:.5em;height:.9em;margin-top:-.2em;border:solid;border-width:0 .14em .14em 0;transform:rotate(45deg)}' +
  ".page .stored{display:grid;gap:14px;margin:20px 0 26px}" +
  ".page .stored div{border-bottom:1px solid var(--line);padding-bottom:12px}" +
  ".page .stored dt{color:var(--muted);font-size:.875rem}" +
  ".page .stored dd{margin:0;white-space:pre-line}" +
  // On wide screens the column starts on a band, whose colors differ from the ground.
  "@container (min-width:900px){.page .framed{padding:32px 40px;border:1px solid var(--line);border-radius:var(--r,18px);background:var(--ground)}}";
