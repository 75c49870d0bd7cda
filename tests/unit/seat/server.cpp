// The server is spoken to as a browser speaks, and as others might.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <gtest/gtest.h>

#include "apps/seat/seat_server.hpp"
#include "topology/mechanism.hpp"

namespace semirec::seat {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;

const std::string kPage = "<!doctype html><title>seat</title>";

/// A server that counts and keeps what it is told.
class Served {
 public:
  Served()
      : server_({}, {[] { return kPage; }, [] { return R"({"type":"hello"})"; },
                     [this](const std::string& message) {
                       const std::lock_guard lock(mutex_);
                       heard_.push_back(message);
                       return message == "shout" ? std::string(R"({"type":"notice"})")
                                                 : std::string();
                     },
                     [this](std::vector<float>& numbers) {
                       numbers = {static_cast<float>(++frames_), 2.5F, -1.0F};
                       return true;
                     }}) {}
  const SeatServer& server() const { return server_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(server_.port()); }
  std::vector<std::string> heard() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> heard_;
  std::atomic<int> frames_{0};
  SeatServer server_;
};

tcp::socket reach(asio::io_context& io, int port) {
  tcp::socket socket(io);
  socket.connect({asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(port)});
  return socket;
}

http::response<http::string_body> get(const Served& served, const std::string& target,
                                      const std::string& host, const std::string& origin = "",
                                      http::verb verb = http::verb::get) {
  asio::io_context io;
  tcp::socket socket = reach(io, served.server().port());
  http::request<http::empty_body> request(verb, target, 11);
  request.set(http::field::host, host);
  if (!origin.empty()) request.set(http::field::origin, origin);
  http::write(socket, request);
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  beast::error_code failure;
  http::read(socket, buffer, response, failure);
  return response;
}

/// One who has come in by a WebSocket.
class Guest {
 public:
  Guest(const Served& served, const std::string& token, const std::string& origin,
        const std::string& host)
      : socket_(reach(io_, served.server().port())) {
    socket_.set_option(websocket::stream_base::decorator(
        [&](websocket::request_type& request) { request.set(http::field::origin, origin); }));
    socket_.handshake(host, "/socket?token=" + token);
  }
  explicit Guest(const Served& served)
      : Guest(served, served.server().token(), "http://" + served.host(), served.host()) {}

  void say(const std::string& text) { socket_.write(asio::buffer(text)); }
  /// The next text, frames on the way left out.
  std::string hear() {
    for (;;) {
      beast::flat_buffer buffer;
      socket_.read(buffer);
      if (socket_.got_text()) return beast::buffers_to_string(buffer.data());
    }
  }
  std::vector<float> frame() {
    for (;;) {
      beast::flat_buffer buffer;
      socket_.read(buffer);
      if (socket_.got_text()) continue;
      std::vector<float> numbers(buffer.size() / sizeof(float));
      asio::buffer_copy(asio::buffer(numbers), buffer.data());
      return numbers;
    }
  }
  void leave() { socket_.close(websocket::close_code::normal); }

 private:
  asio::io_context io_;
  websocket::stream<tcp::socket> socket_;
};

/// Waits up to five seconds.
template <typename Condition>
bool comes_true(const Condition& condition) {
  for (int k = 0; k < 500 && !condition(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

TEST(SeatServer, GivesThePageToThoseWhoKnowTheToken) {
  const Served served;
  const std::string target = "/?token=" + served.server().token();
  EXPECT_EQ(served.server().token().size(), 32U);
  EXPECT_EQ(served.server().url(), "http://" + served.host() + target);
  const auto page = get(served, target, served.host());
  EXPECT_EQ(page.result(), http::status::ok);
  EXPECT_EQ(page.body(), kPage);
  EXPECT_EQ(page[http::field::cache_control], "no-store");
  EXPECT_EQ(get(served, target, "localhost:" + std::to_string(served.server().port())).result(),
            http::status::ok);
}

TEST(SeatServer, RefusesOtherTokensHostsOriginsPathsAndMethods) {
  const Served served;
  const std::string& token = served.server().token();
  const std::string target = "/?token=" + token;
  for (const std::string& wrong :
       {std::string("/"), std::string("/?token="), "/?token=" + std::string(32, '0'),
        "/?token=" + token + "0", "/?x=" + token, std::string("/?token")})
    EXPECT_EQ(get(served, wrong, served.host()).result(), http::status::forbidden) << wrong;
  const std::string port = std::to_string(served.server().port());
  for (const std::string& host :
       {std::string("evil.example"), "evil.example:" + port, std::string("127.0.0.1"),
        std::string("127.0.0.1:1"), "127.0.0.1:" + port + ".evil.example"})
    EXPECT_EQ(get(served, target, host).result(), http::status::forbidden) << host;
  for (const std::string& origin : {std::string("http://evil.example"), std::string("null"),
                                    "https://127.0.0.1:" + port, std::string("http://127.0.0.1:1")})
    EXPECT_EQ(get(served, target, served.host(), origin).result(), http::status::forbidden)
        << origin;
  EXPECT_EQ(get(served, "/other?token=" + token, served.host()).result(), http::status::not_found);
  EXPECT_EQ(get(served, target, served.host(), "", http::verb::post).result(),
            http::status::not_found);
  EXPECT_THROW(Guest(served, std::string(32, '0'), "http://" + served.host(), served.host()),
               std::exception);
  EXPECT_THROW(Guest(served, token, "http://evil.example", served.host()), std::exception);
  EXPECT_THROW(Guest(served, token, "http://" + served.host(), "evil.example"), std::exception);
}

TEST(SeatServer, OneDrivesAndTheOthersLookOn) {
  Served served;
  Guest driver(served);
  EXPECT_EQ(driver.hear(), R"({"type":"hello"})");
  driver.say(R"({"type":"drive"})");
  EXPECT_EQ(driver.hear(), R"({"type":"role","role":"driver"})");
  Guest watcher(served);
  EXPECT_EQ(watcher.hear(), R"({"type":"hello"})");
  watcher.say(R"({"type":"drive"})");
  EXPECT_EQ(watcher.hear(), R"({"type":"role","role":"watcher"})");
  watcher.say("not heard");
  driver.say("shout");
  EXPECT_TRUE(comes_true([&] { return served.heard() == std::vector<std::string>{"shout"}; }));
  // notices go to all
  EXPECT_EQ(driver.hear(), R"({"type":"notice"})");
  EXPECT_EQ(watcher.hear(), R"({"type":"notice"})");
  // the wheel is free again when the driver goes
  driver.leave();
  EXPECT_EQ(watcher.hear(), R"({"type":"role","role":"free"})");
  watcher.say(R"({"type":"drive"})");
  EXPECT_EQ(watcher.hear(), R"({"type":"role","role":"driver"})");
}

TEST(SeatServer, FramesAreFloatsInOrder) {
  const Served served;
  Guest guest(served);
  const std::vector<float> first = guest.frame();
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[1], 2.5F);
  EXPECT_GT(guest.frame()[0], first[0]);
}

// one who never reads, one who sends too much, one who sends no HTTP, one who hangs up halfway
TEST(SeatServer, GoesOnWhateverAClientDoes) {
  Served served;
  Guest sleeper(served);
  {
    Guest loud(served);
    loud.say(std::string(5000, 'x'));
    EXPECT_THROW(for (;;) loud.hear(), std::exception);
  }
  asio::io_context io;
  for (const std::string& text :
       {std::string("nonsense\r\n\r\n"), std::string("GET / HT"),
        "GET /?" + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n", std::string("\0\xff", 2)}) {
    tcp::socket socket = reach(io, served.server().port());
    beast::error_code ignored;
    asio::write(socket, asio::buffer(text), ignored);
  }
  EXPECT_EQ(get(served, "/?token=" + served.server().token(), served.host()).result(),
            http::status::ok);
  Guest guest(served);
  EXPECT_EQ(guest.hear(), R"({"type":"hello"})");
}

TEST(SeatServer, APortThatIsTakenIsSaid) {
  const Served served;
  try {
    const SeatServer second({served.server().port()}, {});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("port " + std::to_string(served.server().port())),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace semirec::seat
