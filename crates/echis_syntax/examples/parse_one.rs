use echis_base::*;
struct Disk;
impl echis_syntax::Loader for Disk { fn read(&self, p: &str) -> Result<Vec<u8>, String> { std::fs::read(p).map_err(|e| e.to_string()) } }
fn main() {
    for path in std::env::args().skip(1) {
        let t = std::time::Instant::now();
        let mut sources = SourceMap::default();
        let main = sources.add(SourceFile::new(&path[..], echis_syntax::decode(&std::fs::read(&path).unwrap())));
        let (p, d) = echis_syntax::parse_program(&mut sources, main, &Disk);
        let t1 = t.elapsed();
        let n = echis_syntax::print_program(&p).len();
        let rss = std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmHWM")).unwrap().to_string();
        let first = d.iter().find(|d| d.severity == Severity::Error);
        println!("{path}: {} members {} exprs, {} errors, {t1:?}, printed {n} {:?} {rss} {:?}", p.members.len(), p.exprs.len(), d.len(), t.elapsed(), first.map(|d| (sources.position(d.span.unwrap()).start.to_string(), &d.message)));
    }
}
