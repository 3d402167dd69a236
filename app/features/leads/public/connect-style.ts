/**
 * What public-page.css lacks for the form of a card. Errors have colors of their own, which are readable in each theme. The settings apply it
 * to their preview, so each rule starts with ".page".
 */
export const connectCss =
  ".page .to{display:flex;align-items:center;gap:16px;margin:12px 0 24px}" +
  ".page .to .avatar{width:64px;height:64px;font-size:24px;flex:none}" +
  ".page .to :is(h1,h2){font:500 1.5rem/1.2 var(--heading)}" +
  ".page .to p{color:var(--muted)}" +
  ".page .form{display:grid;gap:18px;margin-bottom:26px}" +
  ".page .field{display:grid;gap:6px}" +
  ".page .field label{font-weight:600}" +
  ".page .field :is(input,textarea,select){width:100%;min-height:50px;padding:11px 14px;border:1px solid var(--muted);border-radius:var(--r,12px);background:var(--surface);color:var(--text);font:inherit}" +
  ".page .field textarea{resize:vertical}" +
  ".page .agree{display:grid;grid-template-columns:auto 1fr;gap:6px 12px;font-size:.875rem}" +
  ".page .agree input{width:24px;height:24px;margin:0;accent-color:var(--accent)}" +
  ".page .agree .error{grid-column:1/-1}" +
  ".page .hint{color:var(--muted);font-weight:400;font-size:.875rem}" +
  ".page .error{padding:8px 12px;border-radius:8px;background:#a3291a;color:#fff;font-size:.875rem}" +
  ".page .stored{display:grid;gap:14px;margin:20px 0 26px}" +
  ".page .stored div{border-bottom:1px solid var(--line);padding-bottom:12px}" +
  ".page .stored dt{color:var(--muted);font-size:.875rem}" +
  ".page .stored dd{margin:0;white-space:pre-line}";
