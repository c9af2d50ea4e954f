// Small scenarios in SystemC; tests/sim/test_kernel_scenarios.c has the same for our kernel. Prints, for each line
// logged, time in ps, delta cycles since the first line of that time, and the text; lines of one delta cycle are
// sorted, for their order is the simulator's choice. usage: scenarios NAME
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc>
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>
using namespace sc_core;

struct Line {
    uint64_t time, delta;
    std::string text;
    bool operator<(const Line &o) const { return time != o.time ? time < o.time : delta != o.delta ? delta < o.delta : text < o.text; }
};
static std::vector<Line> lines;
static uint64_t last_time = ~0ull, base;

static void say(const std::string &text) {
    const uint64_t now = sc_time_stamp().value(), delta = sc_delta_count();
    if (now != last_time) base = delta;
    last_time = now;
    lines.push_back({now, delta - base, text});
}

static sc_time ps(uint64_t t) { return sc_time::from_value(t); }
static void thread(const char *name, std::function<void()> f) { sc_spawn(f, name); }
static void method(const char *name, std::vector<const sc_event *> events, std::function<void()> f, bool initialize = false) {
    sc_spawn_options o;
    o.spawn_method();
    for (auto e : events) o.set_sensitivity(e);
    if (!initialize) o.dont_initialize();
    sc_spawn(f, name, &o);
}

struct Events {
    sc_event a{"a"}, b{"b"}, c{"c"};
};

static void overrides() {
    auto *e = new Events;
    method("hears", {&e->a}, [=] { say("a"); });
    thread("driver", [=] {
        auto next = [](int n) { say("step " + std::to_string(n)); };
        next(1); e->a.notify(ps(10)); e->a.notify(ps(5)); wait(ps(100));
        next(2); e->a.notify(ps(5)); e->a.notify(ps(10)); wait(ps(100));
        next(3); e->a.notify(ps(5)); e->a.notify(SC_ZERO_TIME); wait(ps(100));
        next(4); e->a.notify(SC_ZERO_TIME); e->a.notify(ps(5)); wait(ps(100));
        next(5); e->a.notify(SC_ZERO_TIME); e->a.notify(); wait(ps(100));
        next(6); e->a.notify(ps(5)); e->a.notify(); wait(ps(100));
        next(7); e->a.notify(ps(5)); e->a.cancel(); wait(ps(100));
        next(8); e->a.notify(SC_ZERO_TIME); e->a.cancel(); e->a.notify(ps(7)); wait(ps(100));
        next(9); e->a.notify(); e->a.notify(); wait(ps(100));
    });
    sc_start(ps(2000));
}

static void deltas() {
    auto *e = new Events;
    method("first", {&e->a}, [=] { say("first"); e->b.notify(SC_ZERO_TIME); e->c.notify(); });
    method("second", {&e->b}, [=] { say("second"); });
    method("third", {&e->c}, [=] { say("third"); e->b.notify(ps(3)); });
    thread("driver", [=] { for (int i = 0; i < 3; i++) { wait(ps(10)); say("driver"); e->a.notify(SC_ZERO_TIME); wait(SC_ZERO_TIME); say("later"); } });
    sc_start(ps(100));
}

static void race() {
    auto *x = new sc_signal<int>("x", 1), *y = new sc_signal<int>("y", 2);
    auto *go = new sc_event("go");
    method("left", {go}, [=] { x->write(y->read()); say("left reads " + std::to_string(y->read())); });
    method("right", {go}, [=] { y->write(x->read()); say("right reads " + std::to_string(x->read())); });
    method("sees_x", {&x->value_changed_event()}, [=] { say("x is " + std::to_string(x->read())); });
    method("sees_y", {&y->value_changed_event()}, [=] { say("y is " + std::to_string(y->read())); });
    thread("driver", [=] { for (int i = 0; i < 3; i++) { wait(ps(10)); go->notify(); } });
    sc_start(ps(100));
}

static void updates() {
    auto *s = new sc_signal<bool>("s");
    method("changed", {&s->value_changed_event()}, [=] { say(std::string("changed to ") + (s->read() ? "1" : "0") + (s->event() ? "" : "?")); });
    method("posedge", {&s->posedge_event()}, [=] { say("posedge"); });
    method("negedge", {&s->negedge_event()}, [=] { say("negedge"); });
    thread("driver", [=] {
        wait(ps(10)); s->write(true); say(s->read() ? "reads 1" : "reads 0");
        wait(ps(10)); s->write(true);
        wait(ps(10)); s->write(false); s->write(true);
        wait(ps(10)); s->write(true); s->write(false);
        wait(SC_ZERO_TIME); say(s->event() ? "event" : "no event");
        wait(SC_ZERO_TIME); say(s->event() ? "event" : "no event");
    });
    sc_start(ps(100));
}

static void next_triggers() {
    auto *e = new Events;
    auto *n = new int(0);
    method("m", {&e->a}, [=] {
        say("m" + std::to_string(*n));
        switch ((*n)++) {
        case 0: next_trigger(e->b); break;
        case 1: next_trigger(ps(7)); break;
        case 2: next_trigger(ps(100)); next_trigger(e->c); break;
        case 3: next_trigger(ps(25), e->b); break;
        case 4: next_trigger(e->b | e->c); break;
        case 5: next_trigger(e->b & e->c); break;
        case 6: next_trigger(SC_ZERO_TIME); break;
        case 7: next_trigger(ps(12), e->b & e->c); break;
        default: break;
        }
    }, true);
    thread("driver", [=] { for (int i = 0; i < 40; i++) { wait(ps(10)); (i % 3 == 0 ? e->a : i % 3 == 1 ? e->b : e->c).notify(); say("driver"); } });
    sc_start(ps(500));
}

static void waits() {
    auto *e = new Events;
    thread("t", [=] {
        auto out = [=] { return std::string(timed_out() ? " in time out" : ""); };
        wait(e->a); say("a");
        wait(e->a | e->b); say("a or b");
        wait(e->a & e->b & e->c); say("a and b and c");
        wait(ps(15), e->c); say("c at most 15" + out());
        wait(ps(200), e->c); say("c at most 200" + out());
        wait(ps(35), e->a & e->c); say("a and c at most 35" + out());
        wait(ps(5), e->a | e->c); say("a or c at most 5" + out());
        wait(SC_ZERO_TIME); say("delta");
        wait(ps(42)); say("42");
    });
    thread("driver", [=] { for (int i = 0; i < 40; i++) { wait(ps(10)); (i % 3 == 0 ? e->a : i % 3 == 1 ? e->b : e->c).notify(SC_ZERO_TIME); } });
    sc_start(ps(500));
}

static void stop() {
    auto *e = new Events;
    method("stops", {&e->a}, [=] { say("stops"); sc_stop(); e->b.notify(); e->c.notify(SC_ZERO_TIME); });
    method("same", {&e->a}, [=] { say("same delta cycle"); });
    method("now", {&e->b}, [=] { say("notified immediately"); });
    method("next", {&e->c}, [=] { say("next delta cycle"); });
    e->a.notify(ps(10));
    sc_start(ps(100));
}

static void pause() {
    auto *e = new Events;
    method("pauses", {&e->a}, [=] { say("pauses"); sc_pause(); e->c.notify(SC_ZERO_TIME); e->a.notify(ps(5)); });
    method("next", {&e->c}, [=] { say("next delta cycle"); });
    e->a.notify(ps(10));
    for (int i = 0; i < 4; i++) { sc_start(ps(1000)); say("paused"); }
}

static void mutexes() {
    auto *m = new sc_mutex("m");
    for (int i = 0; i < 3; i++)
        thread(("t" + std::to_string(i)).c_str(), [=] {
            const std::string me = "t" + std::to_string(i);
            for (int n = 0; n < 2; n++) {
                wait(ps(1 + i));
                const bool got = m->trylock() == 0, gave = m->unlock() == 0;
                say(me + (got ? " gets it at once" : " has to wait") + (gave ? "" : ", not its own"));
                m->lock(); say(me + " has it"); wait(ps(10)); m->unlock(); say(me + " gave it");
            }
        });
    sc_start(ps(500));
}

static void semaphores() {
    auto *s = new sc_semaphore("s", 2);
    for (int i = 0; i < 3; i++) // one waits at a time: who of several comes first is the simulator's choice
        thread(("t" + std::to_string(i)).c_str(), [=] {
            const std::string me = "t" + std::to_string(i);
            wait(ps(1 + i)); s->wait(); say(me + " in, " + std::to_string(s->get_value()) + " left");
            wait(ps(10 * (i + 1))); s->post(); say(me + " out");
        });
    sc_start(ps(500));
}

static void clocks() {
    auto *a = new sc_clock("clock_a", ps(10), 0.3, ps(4), true), *b = new sc_clock("clock_b", ps(14), 0.5, ps(0), false),
         *c = new sc_clock("clock_c", ps(20), 0.75, ps(3), false);
    int n = 0;
    for (auto *k : {a, b, c}) {
        const std::string name(1, char('a' + n++));
        method(("pos_" + name).c_str(), {&k->posedge_event()}, [=] { say(name + " rises"); });
        method(("neg_" + name).c_str(), {&k->negedge_event()}, [=] { say(name + " falls"); });
    }
    thread("counts", [=] { for (int i = 0; i < 3; i++) { wait(a->posedge_event()); wait(b->negedge_event()); say("a, then b"); } });
    sc_start(ps(90));
}

static void statics() {
    auto *e = new Events;
    sc_spawn_options o;
    o.set_sensitivity(&e->a);
    o.set_sensitivity(&e->b);
    sc_spawn([=] { say("begins"); for (;;) { wait(); say("a or b"); wait(e->c); say("c"); } }, "t", &o);
    sc_spawn_options d;
    d.set_sensitivity(&e->b);
    d.dont_initialize();
    sc_spawn([=] { say("late"); wait(); say("late again"); }, "u", &d);
    method("own", {&e->a, &e->b}, [=] { say("own"); e->b.notify(); });
    thread("driver", [=] { for (int i = 0; i < 20; i++) { wait(ps(10)); (i % 3 == 0 ? e->a : i % 3 == 1 ? e->b : e->c).notify(SC_ZERO_TIME); } });
    sc_start(ps(300));
}

int sc_main(int argc, char **argv) {
    const std::map<std::string, void (*)()> all = {
        {"overrides", overrides}, {"deltas", deltas}, {"race", race}, {"updates", updates}, {"next_triggers", next_triggers},
        {"waits", waits}, {"stop", stop}, {"pause", pause}, {"mutexes", mutexes}, {"semaphores", semaphores}, {"clocks", clocks}, {"statics", statics}};
    sc_set_time_resolution(1, SC_PS);
    sc_report_handler::set_actions(SC_INFO, SC_DO_NOTHING);
    sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
    if (argc != 2 || !all.count(argv[1])) return 125;
    all.at(argv[1])();
    std::stable_sort(lines.begin(), lines.end());
    for (auto &l : lines) std::printf("%llu/%llu %s\n", (unsigned long long)l.time, (unsigned long long)l.delta, l.text.c_str());
    return 0;
}
