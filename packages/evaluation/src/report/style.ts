/**
 * The page's style: the system's colours, light or dark as the reader's system is. On a narrow screen charts and tables
 * scroll by themselves instead of shrinking, and a table keeps its first column in sight. Quiet text has a colour of its
 * own: browsers' GrayText falls short of the contrast that small letters need (4.5 to 1).
 */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9de, #3b4149); --soft: light-dark(#f3f5f7, #1f242a);
  --quiet: light-dark(#57606a, #a3adb8);
  --good: light-dark(#1a7f37, #57c46f); --bad: light-dark(#b3431a, #ee8a5e); --plot-background: Canvas; }
body { font: 15px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; max-width: 62rem; margin: 0 auto;
  padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { font-weight: 600; margin-bottom: .25rem; }
figure svg { max-width: none; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
table:not(:has(td.wide)) :is(th, td):first-child { position: sticky; left: 0; background: Canvas; }
td.wide { white-space: normal; min-width: 14rem; }
.note { color: var(--quiet); font-size: .87rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } details [id] { scroll-margin-top: 5rem; } details[open] > summary { margin-bottom: .5rem; }
.methods { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem; }
.methods ol { padding-left: 1.6rem; margin: .2rem 0; }
.gold, .found { color: var(--good); } .failed, .missing { color: var(--bad); }
.why { display: block; font-size: .85rem; color: var(--quiet); }
dl dt { font-weight: 600; margin-top: .7rem; } dl dd { margin: 0; overflow-wrap: anywhere; }
`;
