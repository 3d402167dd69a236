/** What the form of a card lacks for a device that stands on a table: large targets, two columns where there is room, and the notices. */
export const kioskCss =
  ".page [hidden]{display:none!important}" +
  ".page .column{display:flex;flex-direction:column}" +
  ".page .framed{flex:1}" +
  ".page .to{margin-top:4px}" +
  // Focused by script for each visitor, who can't do anything with it.
  ".page .to h1{outline:none}" +
  ".page .form{gap:20px}" +
  ".page .field :is(input,textarea,select){min-height:56px;font-size:1.125rem}" +
  ".page .field textarea{min-height:112px}" +
  ".page .agree{gap:8px 16px;font-size:1rem}" +
  ".page .agree input{width:32px;height:32px}" +
  ".page .agree label{padding:4px 0}" +
  ".page .form .button{min-height:60px;font-size:1.125rem}" +
  ".page details summary{display:inline-flex;align-items:center;min-height:44px;color:var(--muted);font-size:.875rem;cursor:pointer;text-decoration:underline;text-underline-offset:4px}" +
  ".page details :is(p,li){margin:0 0 8px;color:var(--muted);font-size:.875rem}" +
  ".page details ul{padding-inline-start:20px;list-style:disc}" +
  ".page .warning{display:grid;gap:6px;margin-bottom:20px;padding:14px 16px;border:2px solid var(--text);border-radius:var(--r,12px)}" +
  ".page .idle{position:sticky;z-index:1;top:12px;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:12px;margin-bottom:20px;padding:12px 16px;border:2px solid var(--text);border-radius:var(--r,12px);background:var(--surface)}" +
  ".page .done{display:grid;justify-items:center;gap:16px;padding:24px 0;text-align:center}" +
  ".page .done h1{font:500 1.75rem/1.25 var(--heading);outline:none}" +
  ".page .done .code{width:min(260px,70vw);padding:8px;border-radius:12px;background:#fff;forced-color-adjust:none}" +
  ".page .done p{max-width:480px}" +
  ".page .done .button{min-width:220px;min-height:60px;font-size:1.125rem}" +
  ".page .device{display:flex;flex-wrap:wrap;align-items:center;gap:4px 20px;margin-top:24px;padding-top:12px;border-top:1px solid var(--line);color:var(--muted);font-size:.875rem}" +
  ".page .device details{flex-basis:100%}" +
  ".page .device .button{min-height:44px}" +
  ".page :is(.device,.idle) .button{padding-inline:16px}" +
  "@container (min-width:700px){.page .column{max-width:860px;padding:32px 24px}" +
  ".page .form{grid-template-columns:1fr 1fr}" +
  ".page .form>:not(.field),.page .form>.field:has(textarea),.page .form>.field:nth-child(1 of .field):nth-last-child(1 of .field){grid-column:1/-1}}";
