// The style sheet of a report's page.
#include "experiments/report/page_style.h"

#include "kernels/error.h"

namespace actlab {
namespace {

constexpr const char* rules = R"(
:root{--paper:#fff;--card:#f6f8fa;--edge:#d1d9e0;--ink:#1f2328;--quiet:#59636e;--alarm:#d1242f;--note:#9a6700}
@media screen and (prefers-color-scheme:dark){
:root{--paper:#0d1117;--card:#151b23;--edge:#3d444d;--ink:#e6edf3;--quiet:#9198a1;--alarm:#ff7b72;--note:#d29922}
}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%}
body{max-width:1180px;margin:0 auto;padding:28px 20px 40px;line-height:1.5;
font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
h1{font-size:28px;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:19px;margin:40px 0 12px}
h3{font-size:15px;margin:0}
p{margin:4px 0}
.quiet{color:var(--quiet)}
ul.quiet{font-size:13px;padding-left:18px;overflow-wrap:anywhere}
.troubles{margin-top:24px;padding:4px 18px 8px;border-left:4px solid var(--alarm);background:var(--card);
overflow-wrap:anywhere}
.troubles h2{margin:8px 0 0;font-size:16px}.troubles ul{margin:6px 0;padding-left:18px}
.scroll{overflow-x:auto;border:1px solid var(--edge);border-radius:8px}
table{border-collapse:separate;border-spacing:0;font-size:13px;font-variant-numeric:tabular-nums;width:100%}
th,td{padding:7px 12px;text-align:left;white-space:nowrap;border-top:1px solid var(--edge)}
thead th{border-top:0;color:var(--quiet);font-weight:500;background:var(--card);vertical-align:bottom}
.results .number{text-align:right}
.results th:first-child{position:sticky;left:0;background:var(--paper);font-weight:600}
.results thead th:first-child{background:var(--card);font-weight:500}
tbody tr:hover>*{background:var(--card)}
.checksum{font:11px ui-monospace,monospace}
.swatch{display:inline-block;width:20px;border-top:3px solid;margin:0 8px 0 0;vertical-align:middle}
.stroke1{border-top-style:dashed}.stroke2{border-top-style:dotted}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 14px;padding:8px 0;font-size:13px;
position:sticky;top:0;background:var(--paper);z-index:1}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,430px),1fr));gap:18px;align-items:start}
figure{margin:0;padding:14px 12px 8px;border:1px solid var(--edge);border-radius:8px}
figcaption{padding:0 6px 8px}figcaption p{font-size:13px;line-height:1.35}
.chart{display:block;width:100%;height:auto}
dl{margin:0;columns:330px;column-gap:36px;font-size:13px}
dl div{display:flex;gap:10px;justify-content:space-between;padding:3px 0;border-bottom:1px solid var(--edge);
break-inside:avoid}
dt{color:var(--quiet)}dd{margin:0;text-align:right;overflow-wrap:anywhere;min-width:0}
.differs dt::after{content:" differs";color:var(--note);font-size:11px}
footer{margin-top:40px;font-size:13px}
.series{transition:opacity .12s}
@media (max-width:600px){body{padding:18px 12px 28px}h1{font-size:23px}th,td{padding:6px 9px}
.legend{gap:2px 14px;font-size:12px}figure{padding:12px 4px 4px}figcaption{padding:0 8px 6px}}
@media print{@page{size:A4 landscape;margin:11mm}body{max-width:none;padding:0;font-size:11px}
h2{margin:18px 0 8px;break-after:avoid}.charts{break-before:page}figure,tr,li{break-inside:avoid}
.scroll{overflow:visible;border:0}.legend,.results th:first-child{position:static}
table{font-size:8px}th,td{padding:3px 4px}.results thead th,.results td{white-space:normal}.checksum{font-size:6px}
.figures{grid-template-columns:1fr 1fr 1fr;gap:8px}figcaption p,ul.quiet,.legend,footer{font-size:9px}
h3{font-size:11px}dl{columns:3;column-gap:24px;font-size:9px}}
)";

}  // namespace

std::string page_style(std::size_t arms) {
  std::string style = rules;
  for (std::size_t i = 0; i < arms; ++i)
    style += concat("body:has(.series-", i, ":hover) .series:not(.series-", i, "){opacity:.2}\n");
  return style;
}

}  // namespace actlab
