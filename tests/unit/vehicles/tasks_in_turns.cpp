// Tasks in turns, each on a stack of its own.

#include "vehicles/fleet/tasks_in_turns.hpp"

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace semirec::test {
namespace {

struct Turns {
  std::unique_ptr<TasksInTurns> turns;
  std::string said;  ///< what the tasks wrote, in the order in which they did

  int carry_out(std::vector<std::function<void()>> tasks) {
    turns = std::make_unique<TasksInTurns>(std::move(tasks));
    int rounds = 0;
    while (turns->go_on()) {
      ++rounds;
      said += '|';
    }
    return rounds;
  }
};

TEST(TasksInTurns, GoOnOneAfterTheOther) {
  Turns all;
  const auto task = [&](char name, int times) {
    return [&all, name, times] {
      for (int k = 0; k < times; ++k) {
        all.said += name;
        all.said += static_cast<char>('0' + all.turns->current());
        all.turns->wait();
      }
    };
  };
  EXPECT_EQ(all.carry_out({task('a', 2), task('b', 0), task('c', 3)}), 3);
  EXPECT_EQ(all.said, "a0c2|a0c2|c2|");
  EXPECT_FALSE(all.turns->go_on());
  EXPECT_EQ(all.turns->error(), nullptr);
  EXPECT_EQ(Turns().carry_out({}), 0);
}

// Who waits inside of a handler finds its own exception again, whatever others throw meanwhile.
TEST(TasksInTurns, HaveExceptionsOfTheirOwn) {
  Turns all;
  const auto task = [&](const std::string& name) {
    return [&all, name] {
      try {
        throw std::runtime_error(name);
      } catch (const std::runtime_error&) {
        all.turns->wait();
        try {
          throw std::logic_error(name + " within");
        } catch (const std::logic_error& inner) {
          all.turns->wait();
          all.said += inner.what() + std::string(",");
        }
        try {
          throw;
        } catch (const std::exception& outer) {
          all.said += outer.what() + std::string(",");
        }
      }
    };
  };
  all.carry_out({task("a"), task("b"), task("c")});
  EXPECT_EQ(all.said, "||a within,a,b within,b,c within,c,");
  EXPECT_EQ(std::current_exception(), nullptr);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TEST(TasksInTurns, OneThatThrowsEndsAloneAndTheFirstErrorIsKept) {
  Turns all;
  all.carry_out({[&] {
                   all.turns->wait();
                   all.turns->wait();
                   all.said += "end";
                 },
                 [&] {
                   all.turns->wait();
                   throw std::runtime_error("first");
                 },
                 [&] {
                   all.turns->wait();
                   throw std::runtime_error("second");
                 }});
  EXPECT_EQ(all.said, "||end");
  ASSERT_NE(all.turns->error(), nullptr);
  try {
    std::rethrow_exception(all.turns->error());
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

/// Writes to a megabyte of stack, frame by frame.
int use_stack(int frames) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(frames);
  return frames == 0 ? 0 : 1 + use_stack(frames - 1) + 0 * frame[0];
}

TEST(TasksInTurns, HaveDeepStacks) {
  Turns all;
  int deep = 0;
  all.carry_out({[&] { deep += use_stack(1000); },
                 [&] {
                   all.turns->wait();
                   deep += use_stack(1000);
                 }});
  EXPECT_EQ(deep, 2000);
}

}  // namespace
}  // namespace semirec::test
